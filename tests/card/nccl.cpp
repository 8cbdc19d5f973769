// NCCL between processes on this machine, for the stand-in driver: arguments are checked as NCCL documents them, traffic is
// work of a stream, and the processes of a communicator meet at a hub, a thread of the process that made the id.
//
//     rank's work ──one message a group──► hub: waits for the other ends, checks that they fit, combines ──► answers
//
// As with NCCL, what is in one group is under way at once, a send is over when its receive is, and a collective when all have
// come. Ranks that call different things would hang there; here the hub says so, and the work fails.

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <dlfcn.h>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <sys/socket.h>
#include <sys/un.h>
#include <thread>
#include <unistd.h>
#include <vector>

#define API extern "C" __attribute__((visibility("default"))) int

enum { OK = 0, SYSTEM_ERROR = 2, INVALID_ARGUMENT = 4, INVALID_USAGE = 5, REMOTE_ERROR = 6 };
enum Kind : int32_t { ALL_REDUCE, REDUCE, BROADCAST, ALL_GATHER, REDUCE_SCATTER, SEND, RECEIVE };
static const char *const NAMES[] = {"AllReduce", "Reduce", "Broadcast", "AllGather", "ReduceScatter", "Send", "Recv"};
static const size_t SIZES[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};
// How long the hub waits for the other ends.
static const auto PATIENCE = std::chrono::seconds(20);

struct UniqueId {
    char bytes[128];
};

struct Head {
    Kind kind;
    int32_t dtype, op, peer;
    uint64_t count;
};

static thread_local std::string last_error;

static int refuse(int status, const std::string &why) {
    last_error = why;
    return status;
}

// ---- bytes between processes -----------------------------------------------------------------------------------------------

static bool send_all(int socket, const void *data, size_t bytes) {
    for (const char *at = (const char *)data; bytes > 0;) {
        const ssize_t sent = send(socket, at, bytes, MSG_NOSIGNAL);
        if (sent <= 0)
            return false;
        at += sent, bytes -= sent;
    }
    return true;
}
static bool receive_all(int socket, void *data, size_t bytes) {
    for (char *at = (char *)data; bytes > 0;) {
        const ssize_t came = recv(socket, at, bytes, 0);
        if (came <= 0)
            return false;
        at += came, bytes -= came;
    }
    return true;
}

// A name in no file system, so that nothing is left behind.
static socklen_t address_of(const char *name, sockaddr_un *out) {
    memset(out, 0, sizeof *out);
    out->sun_family = AF_UNIX;
    const size_t length = strnlen(name, 100);
    memcpy(out->sun_path + 1, name, length);
    return (socklen_t)(offsetof(sockaddr_un, sun_path) + 1 + length);
}

// ---- combining -------------------------------------------------------------------------------------------------------------

static float widen(uint16_t bits, bool brain) {
    if (brain) {
        const uint32_t wide = (uint32_t)bits << 16;
        float out;
        memcpy(&out, &wide, 4);
        return out;
    }
    const int sign = bits >> 15, exponent = bits >> 10 & 31, fraction = bits & 1023;
    const float size = exponent == 0    ? __builtin_ldexpf(fraction, -24)
                       : exponent == 31 ? (fraction ? __builtin_nanf("") : __builtin_inff())
                                        : __builtin_ldexpf(1024 + fraction, exponent - 25);
    return sign ? -size : size;
}
static uint16_t narrow(float value, bool brain) {
    // The nearest of all, the even one of two: slow and plain.
    uint16_t best = 0;
    float distance = __builtin_inff();
    for (uint32_t bits = 0; bits < 65536; bits++) {
        const float here = widen((uint16_t)bits, brain);
        const float away = here > value ? here - value : value - here;
        if (away < distance || (away == distance && !(bits & 1)))
            best = (uint16_t)bits, distance = away;
    }
    return best;
}

template <class T> static T joined(T a, T b, int op) {
    return op == 1 ? a * b : op == 2 ? (a > b ? a : b) : op == 3 ? (a < b ? a : b) : a + b;
}

template <class T> static void combine_as(char *into, const char *from, size_t count, int op) {
    for (size_t i = 0; i < count; i++) {
        T a, b;
        memcpy(&a, into + i * sizeof(T), sizeof(T)), memcpy(&b, from + i * sizeof(T), sizeof(T));
        a = joined<T>(a, b, op);
        memcpy(into + i * sizeof(T), &a, sizeof(T));
    }
}
template <class T> static void divide_as(char *into, size_t count, int by) {
    for (size_t i = 0; i < count; i++) {
        T a;
        memcpy(&a, into + i * sizeof(T), sizeof(T));
        a = (T)(a / (T)by);
        memcpy(into + i * sizeof(T), &a, sizeof(T));
    }
}
// Every rank's elements as one; half precision is added in float and rounded once.
static std::string combine(const std::vector<std::string> &all, int dtype, int op, size_t count) {
    std::string out = all[0];
    if (dtype == 6 || dtype == 9) {
        const bool brain = dtype == 9;
        for (size_t i = 0; i < count; i++) {
            float sum = 0;
            for (size_t rank = 0; rank < all.size(); rank++) {
                uint16_t bits;
                memcpy(&bits, all[rank].data() + i * 2, 2);
                sum = rank ? joined<float>(sum, widen(bits, brain), op) : widen(bits, brain);
            }
            const uint16_t bits = narrow(op == 4 ? sum / all.size() : sum, brain);
            memcpy(&out[i * 2], &bits, 2);
        }
        return out;
    }
    auto each = [&](auto zero) {
        using T = decltype(zero);
        for (size_t rank = 1; rank < all.size(); rank++)
            combine_as<T>(&out[0], all[rank].data(), count, op);
        if (op == 4)
            divide_as<T>(&out[0], count, (int)all.size());
    };
    switch (dtype) {
    case 0: each((int8_t)0); break;
    case 1: each((uint8_t)0); break;
    case 2: each((int32_t)0); break;
    case 3: each((uint32_t)0); break;
    case 4: each((int64_t)0); break;
    case 5: each((uint64_t)0); break;
    case 7: each(0.0f); break;
    default: each(0.0); break;
    }
    return out;
}

// ---- the hub ---------------------------------------------------------------------------------------------------------------

struct Item {
    Head head;
    std::string data, answer;
    bool done = false;
};
typedef std::shared_ptr<Item> Shared;

struct Hub {
    std::mutex lock;
    std::condition_variable moved;
    int size = 0;
    std::string trouble;
    std::map<int, std::string> devices;
    // By the number of the collective: every rank's item.
    std::map<uint64_t, std::map<int, Shared>> collectives;
    // From, to: what waits for its other end.
    std::map<std::pair<int, int>, std::deque<Shared>> sends, receives;

    void fail(const std::string &why) {
        if (trouble.empty()) {
            trouble = why;
            fprintf(stderr, "card: nccl: %s\n", why.c_str());
        }
        moved.notify_all();
    }

    static std::string words(const Head &head) {
        return std::string(NAMES[head.kind]) + " of " + std::to_string(head.count) + " elements, type " +
               std::to_string(head.dtype) + ", op " + std::to_string(head.op) + ", root " + std::to_string(head.peer);
    }

    void finish(const std::map<int, Shared> &items) {
        const Head &head = items.begin()->second->head;
        std::vector<std::string> data;
        for (auto &[rank, item] : items) {
            if (memcmp(&item->head, &head, sizeof head) != 0)
                return fail("rank 0 calls " + words(head) + ", but rank " + std::to_string(rank) + " calls " +
                            words(item->head));
            data.push_back(item->data);
        }
        const size_t block = head.count * SIZES[head.dtype];
        std::string whole;
        if (head.kind == ALL_GATHER)
            for (auto &part : data)
                whole += part;
        else if (head.kind == BROADCAST)
            whole = data[head.peer];
        else
            whole = combine(data, head.dtype, head.op, data[0].size() / SIZES[head.dtype]);
        for (auto &[rank, item] : items) {
            item->answer = head.kind == REDUCE_SCATTER                  ? whole.substr(rank * block, block)
                           : head.kind == REDUCE && rank != head.peer ? ""
                                                                        : whole;
            item->done = true;
        }
    }

    void match(std::pair<int, int> way) {
        auto &out = sends[way], &in = receives[way];
        while (!out.empty() && !in.empty()) {
            Shared sent = out.front(), wanted = in.front();
            out.pop_front(), in.pop_front();
            if (sent->head.count != wanted->head.count || sent->head.dtype != wanted->head.dtype)
                return fail("a send and its receive differ: " + words(sent->head) + ", " + words(wanted->head));
            wanted->answer = sent->data;
            sent->done = wanted->done = true;
        }
    }

    // One group of a rank: answers whether it could be carried out.
    bool carry(int rank, uint64_t &number, std::vector<Shared> &items) {
        std::unique_lock<std::mutex> guard(lock);
        for (Shared &item : items) {
            if (item->head.kind == SEND || item->head.kind == RECEIVE) {
                const bool out = item->head.kind == SEND;
                const std::pair<int, int> way = out ? std::make_pair(rank, item->head.peer) : std::make_pair(item->head.peer, rank);
                (out ? sends : receives)[way].push_back(item);
                match(way);
                continue;
            }
            auto &together = collectives[number];
            together[rank] = item;
            if ((int)together.size() == size) {
                finish(together);
                collectives.erase(number);
            }
            number++;
        }
        moved.notify_all();
        auto over = [&] {
            for (Shared &item : items)
                if (!item->done)
                    return !trouble.empty();
            return true;
        };
        if (!moved.wait_for(guard, PATIENCE, over))
            fail("rank " + std::to_string(rank) + " waits in " + words(items[0]->head));
        return trouble.empty();
    }

    void serve(int socket) {
        int32_t hello[2];
        char device[64];
        if (!receive_all(socket, hello, sizeof hello) || !receive_all(socket, device, sizeof device))
            return;
        const int rank = hello[0];
        std::string why;
        {
            std::unique_lock<std::mutex> guard(lock);
            if (size == 0)
                size = hello[1];
            if (size != hello[1])
                fail("ranks of different sizes");
            if (!devices.emplace(rank, device).second)
                fail("two of rank " + std::to_string(rank));
            moved.notify_all();
            if (!moved.wait_for(guard, PATIENCE, [&] { return (int)devices.size() == size || !trouble.empty(); }))
                fail("rank " + std::to_string(rank) + " waits for the others in CommInitRank");
            why = trouble;
            for (auto &[other, place] : devices)
                if (other != rank && place == device && why.empty())
                    why = "Duplicate GPU detected : rank " + std::to_string(rank) + " and rank " + std::to_string(other) +
                          " both on CUDA device " + place;
        }
        const uint64_t length = why.size();
        if (!send_all(socket, &length, 8) || !send_all(socket, why.data(), length) || length)
            return;
        uint64_t number = 0, count;
        while (receive_all(socket, &count, 8)) {
            std::vector<Shared> items;
            for (uint64_t i = 0; i < count; i++) {
                Shared item = std::make_shared<Item>();
                uint64_t bytes;
                if (!receive_all(socket, &item->head, sizeof(Head)) || !receive_all(socket, &bytes, 8))
                    return;
                item->data.resize(bytes);
                if (!receive_all(socket, &item->data[0], bytes))
                    return;
                items.push_back(item);
            }
            const char good = carry(rank, number, items);
            if (!send_all(socket, &good, 1))
                return;
            for (Shared &item : items) {
                const uint64_t bytes = good ? item->answer.size() : 0;
                if (!send_all(socket, &bytes, 8) || !send_all(socket, item->answer.data(), bytes))
                    return;
            }
        }
    }
};

// ---- the library -----------------------------------------------------------------------------------------------------------

struct Comm {
    int rank, size, socket, failed = 0;
};
static std::set<Comm *> comms;

struct Call {
    Comm *comm;
    void *stream;
    Head head;
    const char *from;
    char *to;
    size_t from_bytes, to_bytes;
};
static thread_local int depth = 0, group_status = OK;
static thread_local std::vector<Call> group;

struct Job {
    Comm *comm;
    std::vector<Call> calls;
};

// Runs when the stream comes to it, with the device's memory open.
static int work(void *data) {
    Job *job = (Job *)data;
    const int socket = job->comm->socket;
    const uint64_t count = job->calls.size();
    bool good = send_all(socket, &count, 8);
    for (Call &call : job->calls) {
        const std::string bytes(call.from, call.from_bytes);
        const uint64_t length = bytes.size();
        good = good && send_all(socket, &call.head, sizeof(Head)) && send_all(socket, &length, 8) &&
               send_all(socket, bytes.data(), length);
    }
    char carried = 0;
    good = good && receive_all(socket, &carried, 1);
    for (Call &call : job->calls) {
        uint64_t length = 0;
        good = good && receive_all(socket, &length, 8);
        std::string bytes(good ? length : 0, 0);
        good = good && receive_all(socket, &bytes[0], length);
        if (good && carried && length > call.to_bytes)
            good = false;
        if (good && carried && length)
            memcpy(call.to, bytes.data(), length);
    }
    if (good && carried)
        return 0;
    job->comm->failed = REMOTE_ERROR;
    return 719;
}
static void done(void *data) {
    delete (Job *)data;
}

template <class F> static F driver(const char *name) {
    void *library = dlopen("libcuda.so.1", RTLD_NOLOAD | RTLD_LAZY);
    F found = library ? (F)dlsym(library, name) : nullptr;
    if (!found) {
        fprintf(stderr, "card: nccl: the stand-in driver has no %s\n", name);
        abort();
    }
    return found;
}

static int flush() {
    // One job for each communicator and stream, in the order of its first call.
    while (!group.empty()) {
        Job *job = new Job{group[0].comm, {}};
        void *stream = group[0].stream;
        std::vector<Call> rest;
        for (Call &call : group)
            (call.comm == job->comm && call.stream == stream ? job->calls : rest).push_back(call);
        group = rest;
        typedef int (*Submit)(void *, int (*)(void *), void (*)(void *), void *);
        if (const int failed = driver<Submit>("card_submit")(stream, work, done, job))
            return refuse(1, "Cuda failure " + std::to_string(failed));
    }
    return OK;
}

static int check(const Call &call) {
    const Head &head = call.head;
    if (!comms.count(call.comm))
        return refuse(INVALID_ARGUMENT, "comm argument is not a communicator");
    if (call.comm->failed)
        return refuse(call.comm->failed, "the communicator has failed");
    if (head.dtype < 0 || head.dtype > 9)
        return refuse(INVALID_ARGUMENT, "invalid type " + std::to_string(head.dtype));
    if (head.op < 0 || head.op > 4)
        return refuse(INVALID_ARGUMENT, "invalid reduction operation " + std::to_string(head.op));
    if (head.peer < 0 || head.peer >= call.comm->size)
        return refuse(INVALID_ARGUMENT, "invalid root or peer " + std::to_string(head.peer));
    if ((call.from_bytes && !call.from) || (call.to_bytes && !call.to))
        return refuse(INVALID_ARGUMENT, "a buffer is NULL");
    return OK;
}

static int put(const Call &call) {
    const int status = check(call);
    if (depth) {
        if (status && !group_status)
            group_status = status;
        group.push_back(call);
        return status;
    }
    if (status)
        return status;
    group.push_back(call);
    return flush();
}

static size_t bytes_of(size_t count, int dtype) {
    return dtype >= 0 && dtype <= 9 ? count * SIZES[dtype] : 0;
}

API ncclGetVersion(int *version) {
    *version = 22703;
    return OK;
}
extern "C" __attribute__((visibility("default"))) const char *ncclGetErrorString(int status) {
    return status == INVALID_ARGUMENT ? "invalid argument (run with NCCL_DEBUG=WARN for details)"
           : status == INVALID_USAGE  ? "invalid usage (run with NCCL_DEBUG=WARN for details)"
           : status == REMOTE_ERROR   ? "remote process exited or there was a network error"
           : status == OK             ? "no error"
                                      : "unhandled system error (run with NCCL_DEBUG=INFO for details)";
}
extern "C" __attribute__((visibility("default"))) const char *ncclGetLastError(Comm *) {
    return last_error.c_str();
}
API ncclGetUniqueId(UniqueId *id) {
    static int made = 0;
    memset(id, 0, sizeof *id);
    snprintf(id->bytes, 100, "card-nccl-%d-%d", (int)getpid(), made++);
    const int listening = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address;
    const socklen_t length = address_of(id->bytes, &address);
    if (bind(listening, (sockaddr *)&address, length) || listen(listening, 64))
        return refuse(SYSTEM_ERROR, "socket");
    Hub *hub = new Hub;
    std::thread([=] {
        for (;;) {
            const int client = accept4(listening, nullptr, nullptr, SOCK_CLOEXEC);
            if (client < 0)
                continue;
            std::thread([=] { hub->serve(client), close(client); }).detach();
        }
    }).detach();
    return OK;
}
API ncclCommInitRank(Comm **out, int size, UniqueId id, int rank) {
    if (!out || size < 1 || rank < 0 || rank >= size)
        return refuse(INVALID_ARGUMENT, "rank " + std::to_string(rank) + " of " + std::to_string(size));
    int device;
    if (driver<int (*)(int *)>("cuCtxGetDevice")(&device))
        return refuse(1, "no current context");
    char place[64] = {};
    // Which of all the machine's cards it is, whatever CUDA_VISIBLE_DEVICES leaves.
    if (driver<int (*)(char *, int, int)>("cuDeviceGetName")(place, sizeof place, device))
        return refuse(1, "no such device");
    const int to = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un address;
    const socklen_t length = address_of(id.bytes, &address);
    const int32_t hello[2] = {rank, size};
    uint64_t words = 0;
    if (connect(to, (sockaddr *)&address, length) || !send_all(to, hello, sizeof hello) ||
        !send_all(to, place, sizeof place) || !receive_all(to, &words, 8))
        return refuse(SYSTEM_ERROR, "connect");
    std::string why(words, 0);
    receive_all(to, &why[0], words);
    if (!why.empty())
        return refuse(INVALID_USAGE, why);
    *out = new Comm{rank, size, to};
    comms.insert(*out);
    return OK;
}
static int end(Comm *comm) {
    if (!comms.erase(comm))
        return refuse(INVALID_ARGUMENT, "comm argument is not a communicator");
    shutdown(comm->socket, SHUT_RDWR), close(comm->socket);
    return OK;
}
API ncclCommDestroy(Comm *comm) {
    // What is on its way comes to its end.
    driver<int (*)()>("cuCtxSynchronize")();
    return end(comm);
}
API ncclCommAbort(Comm *comm) {
    return end(comm);
}
API ncclCommGetAsyncError(Comm *comm, int *out) {
    if (!comms.count(comm) || !out)
        return refuse(INVALID_ARGUMENT, "comm argument is not a communicator");
    *out = comm->failed;
    return OK;
}
API ncclGroupStart() {
    depth++;
    return OK;
}
API ncclGroupEnd() {
    if (depth == 0)
        return refuse(INVALID_USAGE, "ncclGroupEnd: not in a group call.");
    if (--depth)
        return OK;
    const int status = group_status;
    group_status = OK;
    if (status)
        group.clear();
    return status ? status : flush();
}
API ncclAllReduce(const char *from, char *to, size_t count, int dtype, int op, Comm *comm, void *stream) {
    const size_t bytes = bytes_of(count, dtype);
    return put({comm, stream, {ALL_REDUCE, dtype, op, 0, count}, from, to, bytes, bytes});
}
API ncclReduce(const char *from, char *to, size_t count, int dtype, int op, int root, Comm *comm, void *stream) {
    const size_t bytes = bytes_of(count, dtype);
    return put({comm, stream, {REDUCE, dtype, op, root, count}, from, to, bytes, bytes});
}
API ncclBroadcast(const char *from, char *to, size_t count, int dtype, int root, Comm *comm, void *stream) {
    const size_t bytes = bytes_of(count, dtype);
    return put({comm, stream, {BROADCAST, dtype, 0, root, count}, from, to, bytes, bytes});
}
API ncclAllGather(const char *from, char *to, size_t count, int dtype, Comm *comm, void *stream) {
    const size_t bytes = bytes_of(count, dtype), all = comms.count(comm) ? bytes * comm->size : 0;
    return put({comm, stream, {ALL_GATHER, dtype, 0, 0, count}, from, to, bytes, all});
}
API ncclReduceScatter(const char *from, char *to, size_t count, int dtype, int op, Comm *comm, void *stream) {
    const size_t bytes = bytes_of(count, dtype), all = comms.count(comm) ? bytes * comm->size : 0;
    return put({comm, stream, {REDUCE_SCATTER, dtype, op, 0, count}, from, to, all, bytes});
}
API ncclSend(const char *from, size_t count, int dtype, int peer, Comm *comm, void *stream) {
    return put({comm, stream, {SEND, dtype, 0, peer, count}, from, nullptr, bytes_of(count, dtype), 0});
}
API ncclRecv(char *to, size_t count, int dtype, int peer, Comm *comm, void *stream) {
    return put({comm, stream, {RECEIVE, dtype, 0, peer, count}, nullptr, to, 0, bytes_of(count, dtype)});
}
