// A machine with NVIDIA GPUs that is not there: contexts, memory, streams and events as the CUDA driver documents them.
//
// Work is as late as CUDA allows. What is asynchronous is queued and runs when the host waits for it: a wait on a stream, an
// event or a context, a synchronous copy, a free. Only what that wait needs runs, so a wait that is missing shows as a wrong
// result. Memory is given filled with garbage, is between pages that cannot be touched, and is never given twice; device
// memory can be touched only while work of its device runs.

#pragma once
#include <csetjmp>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <sys/mman.h>
#include <time.h>
#include <vector>

typedef unsigned long long Address;

// CUresult.
enum Result {
    SUCCESS = 0,
    INVALID_VALUE = 1,
    OUT_OF_MEMORY = 2,
    NOT_INITIALIZED = 3,
    NO_DEVICE = 100,
    INVALID_DEVICE = 101,
    INVALID_IMAGE = 200,
    INVALID_CONTEXT = 201,
    NO_BINARY_FOR_GPU = 209,
    PEER_ACCESS_UNSUPPORTED = 217,
    INVALID_PTX = 218,
    OPERATING_SYSTEM = 304,
    INVALID_HANDLE = 400,
    NOT_FOUND = 500,
    NOT_READY = 600,
    ILLEGAL_STATE = 401,
    ILLEGAL_ADDRESS = 700,
    PEER_ACCESS_ALREADY_ENABLED = 704,
    PEER_ACCESS_NOT_ENABLED = 705,
    LAUNCH_FAILED = 719,
    NOT_SUPPORTED = 801,
    CAPTURE_UNSUPPORTED = 900,
    CAPTURE_INVALIDATED = 901,
};

const size_t PAGE = 4096;

inline long setting(const char *name, long otherwise) {
    const char *value = getenv(name);
    return value && *value ? atol(value) : otherwise;
}

// ---- what exists -----------------------------------------------------------------------------------------------------------

struct Context;
struct Function;
struct Graph;
struct Stream;

struct Memory {
    Address at;
    size_t bytes;
    // -1 for page-locked host memory.
    int device;
    Context *context;
    // What is mapped, with the closed pages at both ends; 0 for host memory that was registered.
    char *mapped;
    size_t pages;
};

struct Range {
    Address at;
    size_t bytes;
};

// What is queued. It runs after those before it in its stream, and after the tickets it names.
struct Operation {
    uint64_t ticket;
    std::vector<uint64_t> after;
    std::function<int()> run;
    // Host memory that it reads or writes.
    std::vector<Range> host;
    // Moves bytes between devices: reaches them all. Otherwise its own device and the peers that were enabled.
    bool everywhere;
};

struct Stream {
    Context *context;
    unsigned flags;
    int priority;
    std::deque<Operation> queue;
    uint64_t last;
    int asked;
    // What records in place of running.
    Graph *capturing = nullptr;
};

// A launch with its arguments.
struct Kernel {
    Function *function = nullptr;
    unsigned grid[3] = {}, block = 0;
    std::vector<std::string> values;
    int run();
};
// CUDA_KERNEL_NODE_PARAMS_v2.
struct KernelNode {
    Function *function;
    unsigned grid[3], block[3], shared;
    void **parameters, **extra;
    void *kernel;
    Context *context;
};
// Checks a launch and copies its arguments (kernels.cpp).
int prepare(Function *function, const unsigned *grid, unsigned block, void **parameters, Kernel &out);

struct GraphNode {
    // Or what else it does.
    Kernel kernel;
    std::function<int()> run;
};
struct Graph {
    Context *context;
    // 0 global, 1 of this thread, 2 relaxed.
    int mode;
    bool spoilt;
    std::vector<GraphNode *> nodes;
};

struct Event {
    Context *context;
    unsigned flags;
    // The last record; 0 for none.
    uint64_t ticket;
    double milliseconds;
    int asked;
};

struct Context {
    int device;
    int users;
    // An error that ends it: every call returns it.
    int broken;
    Stream *legacy;
    std::set<int> peers;
};

struct Module {
    Context *context;
    void (*run)(int, const unsigned *, unsigned, void **);
    unsigned (*parameters)(int, unsigned *);
    std::vector<std::string> names;
};

struct Function {
    Module *module;
    int which;
};

struct Machine {
    bool started = false;
    // Real numbers of the devices that CUDA_VISIBLE_DEVICES leaves.
    std::vector<int> devices;
    std::vector<Context *> contexts;
    std::map<Address, Memory> memory;
    std::vector<Address> next;
    std::vector<size_t> used;
    std::set<Stream *> streams;
    // With destroyed ones that still have work.
    std::set<Stream *> queues;
    std::set<Event *> events;
    std::set<Module *> modules;
    std::set<Function *> functions;
    std::map<uint64_t, Stream *> pending;
    uint64_t tickets = 0;
    // Streams that are captured.
    int captures = 0;
    bool late = true;
    FILE *log = nullptr;
    std::recursive_mutex lock;
};
// Never destroyed: programs call the driver while they end.
inline Machine &machine() {
    static Machine *machine = new Machine;
    return *machine;
}
inline thread_local Context *current = nullptr;

template <class... A> void note(const char *format, A... a) {
    if (!machine().log)
        return;
    fprintf(machine().log, format, a...);
    fputc('\n', machine().log);
    fflush(machine().log);
}

[[noreturn]] inline void refuse(const char *what) {
    // What a driver does not notice and no program may do.
    fprintf(stderr, "card: %s\n", what);
    abort();
}

// ---- memory ----------------------------------------------------------------------------------------------------------------

inline Memory *memory_at(Address at, size_t bytes) {
    auto after = machine().memory.upper_bound(at);
    if (after == machine().memory.begin())
        return nullptr;
    Memory &found = std::prev(after)->second;
    return at >= found.at && bytes <= found.bytes && at - found.at <= found.bytes - bytes ? &found : nullptr;
}
inline Memory *device_memory(Address at, size_t bytes) {
    Memory *found = memory_at(at, bytes);
    return found && found->device >= 0 ? found : nullptr;
}
inline bool is_pinned(const void *at, size_t bytes) {
    Memory *found = memory_at((Address)at, bytes);
    return found && found->device < 0;
}

inline size_t capacity(int) {
    return (size_t)setting("CARD_MEMORY_MIB", 1024) << 20;
}
inline size_t free_bytes(int device) {
    const size_t taken = machine().used[device] + ((size_t)setting("CARD_TAKEN_MIB", 0) << 20);
    return taken < capacity(device) ? capacity(device) - taken : 0;
}

// `device` is -1 for host memory. Garbage is all ones: a NaN, and an index that is out of bounds.
inline int take(int device, Context *context, size_t bytes, Address *out) {
    if (bytes == 0)
        return INVALID_VALUE;
    const size_t granule = device < 0 ? 64 : 512;
    const size_t size = (bytes + granule - 1) / granule * granule;
    if (device >= 0 && size > free_bytes(device))
        return OUT_OF_MEMORY;
    const size_t pages = (size + PAGE - 1) / PAGE * PAGE;
    void *hint = nullptr;
    int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    if (device >= 0) {
        hint = (void *)machine().next[device];
        machine().next[device] += pages + 2 * PAGE;
        flags |= MAP_FIXED_NOREPLACE;
    }
    char *mapped = (char *)mmap(hint, pages + 2 * PAGE, PROT_NONE, flags, -1, 0);
    if (mapped == MAP_FAILED)
        return OUT_OF_MEMORY;
    mprotect(mapped + PAGE, pages, PROT_READ | PROT_WRITE);
    // It ends where the closed page begins.
    char *at = mapped + PAGE + pages - size;
    // Of much memory the middle is left alone: writing it would take all the memory of this machine.
    const size_t most = 8 << 20, part = size < most ? size : most;
    memset(at, 0xff, part);
    memset(at + size - part, 0xff, part);
    if (device >= 0) {
        mprotect(mapped + PAGE, pages, PROT_NONE);
        machine().used[device] += size;
    }
    machine().memory[(Address)at] = {(Address)at, size, device, context, mapped, pages};
    *out = (Address)at;
    return SUCCESS;
}
inline void give_back(Address at) {
    const Memory memory = machine().memory[at];
    machine().memory.erase(at);
    if (memory.device >= 0)
        machine().used[memory.device] -= memory.bytes;
    // The addresses of device memory stay closed for good.
    if (memory.mapped && memory.device < 0)
        munmap(memory.mapped, memory.pages + 2 * PAGE);
    else if (memory.mapped)
        madvise(memory.mapped, memory.pages + 2 * PAGE, MADV_DONTNEED), mprotect(memory.mapped, memory.pages + 2 * PAGE, PROT_NONE);
}

// Opens device memory for an operation of `context`, or closes all of it.
inline void reach(Context *context, bool everywhere) {
    static Context *open = nullptr;
    static bool all = false;
    if (open == context && all == everywhere)
        return;
    for (auto &[at, memory] : machine().memory) {
        if (memory.device < 0)
            continue;
        const bool reached =
            context && (everywhere || memory.device == context->device || context->peers.count(memory.device));
        mprotect(memory.mapped + PAGE, memory.pages, reached ? PROT_READ | PROT_WRITE : PROT_NONE);
    }
    open = context;
    all = everywhere;
}

// ---- running ---------------------------------------------------------------------------------------------------------------

inline sigjmp_buf out_of_work;
inline volatile sig_atomic_t working = 0;

inline void on_bad_address(int signal, siginfo_t *, void *) {
    if (working)
        siglongjmp(out_of_work, 1);
    // The host touched what it may not: device memory, or a closed page.
    ::signal(signal, SIG_DFL);
}

inline int run(const Operation &operation) {
    static char stack[64 << 10];
    static bool prepared = false;
    if (!prepared) {
        stack_t alternate = {};
        alternate.ss_sp = stack;
        alternate.ss_size = sizeof stack;
        sigaltstack(&alternate, nullptr);
        prepared = true;
    }
    struct sigaction ours = {}, segv, bus;
    ours.sa_sigaction = on_bad_address;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    sigaction(SIGSEGV, &ours, &segv);
    sigaction(SIGBUS, &ours, &bus);
    volatile int result = ILLEGAL_ADDRESS;
    if (!sigsetjmp(out_of_work, 1)) {
        working = 1;
        result = operation.run();
    }
    working = 0;
    sigaction(SIGSEGV, &segv, nullptr);
    sigaction(SIGBUS, &bus, nullptr);
    return result;
}

inline double now_milliseconds() {
    timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1e3 + now.tv_nsec * 1e-6;
}

// Runs what a ticket needs, and it.
inline void finish_inside(uint64_t ticket) {
    for (;;) {
        auto found = machine().pending.find(ticket);
        if (found == machine().pending.end())
            return;
        Stream *stream = found->second;
        Operation operation = std::move(stream->queue.front());
        stream->queue.pop_front();
        for (uint64_t before : operation.after)
            finish_inside(before);
        Context *context = stream->context;
        if (!context->broken) {
            reach(context, operation.everywhere);
            const int result = run(operation);
            if (result != SUCCESS) {
                note("broken %d: %d", context->device, result);
                context->broken = result;
            }
        }
        machine().pending.erase(operation.ticket);
    }
}
inline void finish(uint64_t ticket) {
    finish_inside(ticket);
    reach(nullptr, false);
}

// Everything of a context. The stream that was given work last comes first: where nothing says otherwise, who reads runs
// before who writes.
inline void finish_all(Context *context) {
    std::vector<Stream *> streams;
    for (Stream *stream : machine().queues)
        if (stream->context == context)
            streams.push_back(stream);
    for (;;) {
        Stream *latest = nullptr;
        for (Stream *stream : streams)
            if (!stream->queue.empty() && (!latest || stream->last > latest->last))
                latest = stream;
        if (!latest)
            return;
        finish(latest->last);
    }
}

const unsigned NON_BLOCKING = 1;

// Queues an operation; returns its ticket.
inline uint64_t submit(Stream *stream, std::function<int()> run, std::vector<Range> host = {}, bool everywhere = false,
                       std::vector<uint64_t> after = {}) {
    if (stream->capturing) {
        stream->capturing->nodes.push_back(new GraphNode{{}, std::move(run)});
        return 0;
    }
    const uint64_t ticket = ++machine().tickets;
    // The default stream waits for the others of its context, and they for it, unless they were made not to.
    if (!(stream->flags & NON_BLOCKING))
        for (Stream *other : machine().queues)
            if (other != stream && other->context == stream->context && !(other->flags & NON_BLOCKING) &&
                (stream == stream->context->legacy || other == stream->context->legacy) && !other->queue.empty())
                after.push_back(other->last);
    stream->queue.push_back({ticket, std::move(after), std::move(run), std::move(host), everywhere});
    stream->last = ticket;
    stream->asked = 0;
    machine().pending[ticket] = stream;
    if (!machine().late)
        finish(ticket);
    return ticket;
}

// Spoils captures that a call which waits, or which CUDA calls unsafe, may not happen in; true if there was one. `stream` is
// the one that is waited for, none for all.
inline bool spoils(Context *context, Stream *stream, bool unsafe) {
    bool found = false;
    for (Stream *other : machine().streams)
        if (other->capturing && (unsafe ? other->capturing->mode < 2 : other->context == context && (!stream || stream == other)))
            found = other->capturing->spoilt = true;
    return found;
}

// True if nothing queued uses this host memory.
inline bool is_idle(Address at, size_t bytes) {
    for (Stream *stream : machine().queues)
        for (const Operation &operation : stream->queue)
            for (const Range &range : operation.host)
                if (range.at < at + bytes && at < range.at + range.bytes)
                    return false;
    return true;
}

// Whether a ticket is done. Who asks a third time is given the time that the work takes.
inline bool is_done(uint64_t ticket, int &asked) {
    if (machine().pending.count(ticket) && ++asked >= 3)
        finish(ticket);
    return !machine().pending.count(ticket);
}

// ---- what every function of the driver begins with -----------------------------------------------------------------------------

#define API extern "C" __attribute__((visibility("default"))) int
// A call that needs the driver, and one that needs a context as well.
#define ENTER                                                                                                                \
    std::lock_guard<std::recursive_mutex> guard(machine().lock);                                                             \
    if (!machine().started)                                                                                                  \
        return NOT_INITIALIZED;
#define ENTER_CONTEXT                                                                                                        \
    ENTER;                                                                                                                   \
    Context *context = current;                                                                                              \
    if (!context)                                                                                                            \
        return INVALID_CONTEXT;                                                                                              \
    if (context->broken)                                                                                                     \
        return context->broken;
#define NEED(condition, otherwise)                                                                                           \
    if (!(condition))                                                                                                        \
        return otherwise;
