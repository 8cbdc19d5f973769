// libcuda.so.1: the functions of the CUDA driver that Tensoryard uses, on the machine of model.h. What they check and answer
// is what CUDA's documentation of the driver says.

#include "model.h"

// ---- driver and devices ------------------------------------------------------------------------------------------------------

API cuInit(unsigned flags) {
    std::lock_guard<std::recursive_mutex> guard(machine().lock);
    NEED(flags == 0, INVALID_VALUE);
    if (machine().started)
        return SUCCESS;
    Machine &m = machine();
    const int count = (int)setting("CARD_COUNT", 1);
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    if (!visible) {
        for (int i = 0; i < count; i++)
            m.devices.push_back(i);
    } else {
        // After a number that isn't a device, the rest is ignored.
        for (char *at = (char *)visible, *end; *at; at = *end ? end + 1 : end) {
            const long device = strtol(at, &end, 10);
            if (end == at || device < 0 || device >= count)
                break;
            m.devices.push_back((int)device);
        }
    }
    NEED(!m.devices.empty(), NO_DEVICE);
    for (size_t i = 0; i < m.devices.size(); i++) {
        m.contexts.push_back(nullptr);
        m.next.push_back(0x200000000000ull + ((Address)i << 40));
        m.used.push_back(0);
    }
    const char *mode = getenv("CARD_MODE");
    m.late = !(mode && !strcmp(mode, "now"));
    if (const char *log = getenv("CARD_LOG"))
        m.log = fopen(log, "w");
    m.started = true;
    return SUCCESS;
}

API cuDriverGetVersion(int *version) {
    NEED(version, INVALID_VALUE);
    *version = 12080;
    return SUCCESS;
}

struct Words {
    int code;
    const char *name, *text;
};
static const Words WORDS[] = {
    {SUCCESS, "CUDA_SUCCESS", "no error"},
    {INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {INVALID_DEVICE, "CUDA_ERROR_INVALID_DEVICE", "invalid device ordinal"},
    {INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU", "no kernel image is available for execution on the device"},
    {PEER_ACCESS_UNSUPPORTED, "CUDA_ERROR_PEER_ACCESS_UNSUPPORTED", "peer access is not supported between these two devices"},
    {INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {OPERATING_SYSTEM, "CUDA_ERROR_OPERATING_SYSTEM", "OS call failed or operation not supported on this OS"},
    {INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {ILLEGAL_STATE, "CUDA_ERROR_ILLEGAL_STATE", "the operation cannot be performed in the present state"},
    {CAPTURE_UNSUPPORTED, "CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED", "operation not permitted when stream is capturing"},
    {CAPTURE_INVALIDATED, "CUDA_ERROR_STREAM_CAPTURE_INVALIDATED", "operation failed due to a previous error during capture"},
    {NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {NOT_READY, "CUDA_ERROR_NOT_READY", "device not ready"},
    {ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS", "an illegal memory access was encountered"},
    {PEER_ACCESS_ALREADY_ENABLED, "CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED", "peer access is already enabled"},
    {PEER_ACCESS_NOT_ENABLED, "CUDA_ERROR_PEER_ACCESS_NOT_ENABLED", "peer access has not been enabled"},
    {LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {NOT_SUPPORTED, "CUDA_ERROR_NOT_SUPPORTED", "operation not supported"},
};
API cuGetErrorString(int error, const char **text) {
    for (const Words &words : WORDS)
        if (words.code == error)
            return *text = words.text, SUCCESS;
    *text = nullptr;
    return INVALID_VALUE;
}
API cuGetErrorName(int error, const char **name) {
    for (const Words &words : WORDS)
        if (words.code == error)
            return *name = words.name, SUCCESS;
    *name = nullptr;
    return INVALID_VALUE;
}

static bool is_device(int device) {
    return device >= 0 && device < (int)machine().devices.size();
}
API cuDeviceGetCount(int *count) {
    ENTER;
    NEED(count, INVALID_VALUE);
    *count = (int)machine().devices.size();
    return SUCCESS;
}
API cuDeviceGet(int *device, int ordinal) {
    ENTER;
    NEED(device, INVALID_VALUE);
    NEED(is_device(ordinal), INVALID_DEVICE);
    *device = ordinal;
    return SUCCESS;
}
API cuDeviceGetName(char *name, int length, int device) {
    ENTER;
    NEED(name && length > 0, INVALID_VALUE);
    NEED(is_device(device), INVALID_DEVICE);
    snprintf(name, (size_t)length, "Stand-in card %d", machine().devices[device]);
    return SUCCESS;
}
API cuDeviceTotalMem_v2(size_t *bytes, int device) {
    ENTER;
    NEED(bytes, INVALID_VALUE);
    NEED(is_device(device), INVALID_DEVICE);
    *bytes = capacity(device);
    return SUCCESS;
}
static int capability() {
    return (int)setting("CARD_CAPABILITY", 80);
}
API cuDeviceGetAttribute(int *value, int attribute, int device) {
    ENTER;
    NEED(value, INVALID_VALUE);
    NEED(is_device(device), INVALID_DEVICE);
    switch (attribute) {
    case 1: // threads of a block
        return *value = 1024, SUCCESS;
    case 10: // threads of a warp
        return *value = 32, SUCCESS;
    case 16: // multiprocessors
        return *value = 4, SUCCESS;
    case 41: // unified addresses
        return *value = 1, SUCCESS;
    case 75:
        return *value = capability() / 10, SUCCESS;
    case 76:
        return *value = capability() % 10, SUCCESS;
    }
    fprintf(stderr, "card: device attribute %d is not known here\n", attribute);
    return INVALID_VALUE;
}
API cuDeviceCanAccessPeer(int *can, int device, int peer) {
    ENTER;
    NEED(can, INVALID_VALUE);
    NEED(is_device(device) && is_device(peer), INVALID_DEVICE);
    *can = device != peer && setting("CARD_PEER", 1);
    return SUCCESS;
}

// ---- contexts --------------------------------------------------------------------------------------------------------------

static bool is_context(Context *context) {
    for (Context *known : machine().contexts)
        if (known && known == context)
            return true;
    return false;
}
// A stream that another library of the process made, whose handle a test finds in a file.
static Stream *foreign = nullptr;

API cuDevicePrimaryCtxRetain(Context **out, int device) {
    ENTER;
    NEED(out, INVALID_VALUE);
    NEED(is_device(device), INVALID_DEVICE);
    Context *&context = machine().contexts[device];
    if (!context) {
        context = new Context{device, 0, 0, nullptr, {}};
        context->legacy = new Stream{context, 0, 0, {}, 0, 0};
        machine().queues.insert(context->legacy);
        const char *told = getenv("CARD_FOREIGN");
        if (told && !foreign) {
            foreign = new Stream{context, 1, 0, {}, 0, 0};
            machine().streams.insert(foreign);
            machine().queues.insert(foreign);
            FILE *file = fopen(told, "w");
            if (!file || fprintf(file, "%llu", (unsigned long long)(uintptr_t)foreign) < 0 || fclose(file))
                refuse("CARD_FOREIGN cannot be written");
        }
    }
    context->users++;
    *out = context;
    return SUCCESS;
}
API cuDevicePrimaryCtxRelease_v2(int device) {
    ENTER;
    NEED(is_device(device), INVALID_DEVICE);
    Context *&context = machine().contexts[device];
    NEED(context, INVALID_CONTEXT);
    if (--context->users)
        return SUCCESS;
    finish_all(context);
    // Its handles name nothing now. They are not freed, so that no later one looks like them.
    std::vector<Address> left;
    for (auto &[at, memory] : machine().memory)
        if (memory.context == context)
            left.push_back(at);
    for (Address at : left) {
        note("leaked %s of %zu bytes", machine().memory[at].device < 0 ? "host memory" : "memory",
             machine().memory[at].bytes);
        give_back(at);
    }
    auto drop = [&](auto &set, const char *what) {
        for (auto it = set.begin(); it != set.end();)
            if ((*it)->context == context) {
                if (what)
                    note("leaked %s", what);
                it = set.erase(it);
            } else {
                ++it;
            }
    };
    drop(machine().streams, "stream");
    drop(machine().events, "event");
    drop(machine().queues, nullptr);
    note("released %d", device);
    context = nullptr;
    return SUCCESS;
}
API cuCtxSetCurrent(Context *context) {
    ENTER;
    NEED(!context || is_context(context), INVALID_CONTEXT);
    current = context;
    return SUCCESS;
}
API cuCtxGetCurrent(Context **context) {
    ENTER;
    NEED(context, INVALID_VALUE);
    *context = current;
    return SUCCESS;
}
API cuCtxGetDevice(int *device) {
    ENTER_CONTEXT;
    NEED(device, INVALID_VALUE);
    *device = context->device;
    return SUCCESS;
}
API cuCtxSynchronize() {
    ENTER_CONTEXT;
    NEED(!spoils(context, nullptr, false), CAPTURE_UNSUPPORTED);
    note("cuCtxSynchronize %d", context->device);
    finish_all(context);
    return context->broken;
}
API cuCtxGetStreamPriorityRange(int *least, int *greatest) {
    ENTER_CONTEXT;
    if (least)
        *least = 0;
    if (greatest)
        *greatest = -5;
    return SUCCESS;
}
API cuCtxEnablePeerAccess(Context *peer, unsigned flags) {
    ENTER_CONTEXT;
    NEED(flags == 0, INVALID_VALUE);
    NEED(is_context(peer) && peer != context, INVALID_CONTEXT);
    NEED(setting("CARD_PEER", 1), PEER_ACCESS_UNSUPPORTED);
    NEED(context->peers.insert(peer->device).second, PEER_ACCESS_ALREADY_ENABLED);
    note("cuCtxEnablePeerAccess %d to %d", context->device, peer->device);
    return SUCCESS;
}

// ---- memory ----------------------------------------------------------------------------------------------------------------

API cuMemAlloc_v2(Address *out, size_t bytes) {
    ENTER_CONTEXT;
    NEED(out, INVALID_VALUE);
    NEED(!spoils(context, nullptr, true), CAPTURE_UNSUPPORTED);
    const int result = take(context->device, context, bytes, out);
    note("cuMemAlloc %d %zu: %d", context->device, bytes, result);
    return result;
}
API cuMemFree_v2(Address at) {
    ENTER_CONTEXT;
    if (!at)
        return SUCCESS;
    Memory *memory = device_memory(at, 1);
    NEED(memory && memory->at == at, INVALID_VALUE);
    NEED(!spoils(context, nullptr, true), CAPTURE_UNSUPPORTED);
    // It waits for its device, and other devices may use what they were given the address of.
    for (Context *other : machine().contexts)
        if (other)
            finish_all(other);
    note("cuMemFree %d %zu", memory->device, memory->bytes);
    give_back(at);
    return context->broken;
}
API cuMemGetInfo_v2(size_t *free, size_t *total) {
    ENTER_CONTEXT;
    NEED(free && total, INVALID_VALUE);
    *free = free_bytes(context->device);
    *total = capacity(context->device);
    return SUCCESS;
}
API cuMemHostAlloc(void **out, size_t bytes, unsigned flags) {
    ENTER_CONTEXT;
    NEED(out && flags < 8, INVALID_VALUE);
    Address at = 0;
    const int result = take(-1, context, bytes, &at);
    note("cuMemHostAlloc %zu: %d", bytes, result);
    *out = (void *)at;
    return result;
}
API cuMemFreeHost(void *at) {
    ENTER_CONTEXT;
    Memory *memory = memory_at((Address)at, 1);
    NEED(memory && memory->device < 0 && memory->mapped && memory->at == (Address)at, INVALID_VALUE);
    if (!is_idle(memory->at, memory->bytes))
        refuse("page-locked memory was freed while a copy that uses it is queued");
    note("cuMemFreeHost %zu", memory->bytes);
    give_back((Address)at);
    return SUCCESS;
}
API cuMemHostRegister_v2(void *at, size_t bytes, unsigned flags) {
    ENTER_CONTEXT;
    NEED(at && bytes && flags < 16, INVALID_VALUE);
    machine().memory[(Address)at] = {(Address)at, bytes, -1, context, nullptr, 0};
    return SUCCESS;
}
API cuMemHostUnregister(void *at) {
    ENTER_CONTEXT;
    Memory *memory = memory_at((Address)at, 1);
    NEED(memory && memory->device < 0 && !memory->mapped, INVALID_VALUE);
    machine().memory.erase((Address)at);
    return SUCCESS;
}
API cuMemHostGetDevicePointer_v2(Address *out, void *at, unsigned flags) {
    ENTER_CONTEXT;
    NEED(out && flags == 0 && is_pinned(at, 1), INVALID_VALUE);
    *out = (Address)at;
    return SUCCESS;
}

// ---- streams and events ------------------------------------------------------------------------------------------------------

// The stream behind a handle: null and 1 are the default stream of the context.
static Stream *stream_of(Stream *handle, Context *context) {
    if ((uintptr_t)handle <= 1)
        return context->legacy;
    return machine().streams.count(handle) ? handle : nullptr;
}
#define STREAM(handle)                                                                                                       \
    Stream *stream = stream_of(handle, context);                                                                             \
    if (!stream)                                                                                                             \
        return INVALID_HANDLE;                                                                                               \
    if (stream->context->broken)                                                                                             \
        return stream->context->broken;

API cuStreamCreateWithPriority(Stream **out, unsigned flags, int priority) {
    ENTER_CONTEXT;
    NEED(out && flags <= 1, INVALID_VALUE);
    *out = new Stream{context, flags, priority < -5 ? -5 : priority > 0 ? 0 : priority, {}, 0, 0};
    machine().streams.insert(*out);
    machine().queues.insert(*out);
    note("cuStreamCreate %d priority %d", context->device, (*out)->priority);
    return SUCCESS;
}
API cuStreamCreate(Stream **out, unsigned flags) {
    return cuStreamCreateWithPriority(out, flags, 0);
}
API cuStreamGetPriority(Stream *handle, int *priority) {
    ENTER_CONTEXT;
    STREAM(handle);
    *priority = stream->priority;
    return SUCCESS;
}
API cuStreamGetCtx(Stream *handle, Context **out) {
    ENTER_CONTEXT;
    STREAM(handle);
    NEED(out, INVALID_VALUE);
    *out = stream->context;
    return SUCCESS;
}
API cuStreamDestroy_v2(Stream *handle) {
    ENTER_CONTEXT;
    if (handle == foreign)
        refuse("a stream was destroyed that another library made");
    NEED(machine().streams.erase(handle), INVALID_HANDLE);
    return SUCCESS;
}
API cuStreamSynchronize(Stream *handle) {
    ENTER_CONTEXT;
    STREAM(handle);
    NEED(!spoils(context, stream, false), CAPTURE_UNSUPPORTED);
    note("cuStreamSynchronize %d", stream->context->device);
    finish(stream->last);
    return stream->context->broken;
}
API cuStreamQuery(Stream *handle) {
    ENTER_CONTEXT;
    STREAM(handle);
    NEED(!spoils(context, stream, false), CAPTURE_UNSUPPORTED);
    const bool done = is_done(stream->last, stream->asked);
    return stream->context->broken ? stream->context->broken : done ? SUCCESS : NOT_READY;
}
API cuEventCreate(Event **out, unsigned flags) {
    ENTER_CONTEXT;
    NEED(out && flags < 8, INVALID_VALUE);
    *out = new Event{context, flags, 0, 0, 0};
    machine().events.insert(*out);
    return SUCCESS;
}
API cuEventDestroy_v2(Event *event) {
    ENTER_CONTEXT;
    NEED(machine().events.erase(event), INVALID_HANDLE);
    return SUCCESS;
}
API cuEventRecord(Event *event, Stream *handle) {
    ENTER_CONTEXT;
    NEED(machine().events.count(event), INVALID_HANDLE);
    STREAM(handle);
    NEED(event->context == stream->context, INVALID_HANDLE);
    event->asked = 0;
    event->ticket = submit(stream, [event] {
        event->milliseconds = now_milliseconds();
        return SUCCESS;
    });
    note("cuEventRecord %d", stream->context->device);
    return SUCCESS;
}
API cuStreamWaitEvent(Stream *handle, Event *event, unsigned flags) {
    ENTER_CONTEXT;
    NEED(flags == 0, INVALID_VALUE);
    NEED(machine().events.count(event), INVALID_HANDLE);
    STREAM(handle);
    note("cuStreamWaitEvent %d", stream->context->device);
    if (event->ticket)
        submit(stream, [] { return SUCCESS; }, {}, false, {event->ticket});
    return SUCCESS;
}
API cuEventQuery(Event *event) {
    ENTER_CONTEXT;
    NEED(machine().events.count(event), INVALID_HANDLE);
    const bool done = is_done(event->ticket, event->asked);
    return event->context->broken ? event->context->broken : done ? SUCCESS : NOT_READY;
}
API cuEventSynchronize(Event *event) {
    ENTER_CONTEXT;
    NEED(machine().events.count(event), INVALID_HANDLE);
    note("cuEventSynchronize %d", event->context->device);
    finish(event->ticket);
    return event->context->broken;
}
API cuEventElapsedTime(float *milliseconds, Event *start, Event *end) {
    ENTER_CONTEXT;
    NEED(milliseconds, INVALID_VALUE);
    NEED(machine().events.count(start) && machine().events.count(end), INVALID_HANDLE);
    NEED(start->ticket && end->ticket && !(start->flags & 2) && !(end->flags & 2), INVALID_HANDLE);
    NEED(!machine().pending.count(start->ticket) && !machine().pending.count(end->ticket), NOT_READY);
    *milliseconds = (float)(end->milliseconds - start->milliseconds);
    return SUCCESS;
}
API cuEventElapsedTime_v2(float *milliseconds, Event *start, Event *end) {
    return cuEventElapsedTime(milliseconds, start, end);
}

// ---- copies ----------------------------------------------------------------------------------------------------------------

API cuMemcpyHtoDAsync_v2(Address to, const void *from, size_t bytes, Stream *handle) {
    ENTER_CONTEXT;
    STREAM(handle);
    if (!bytes)
        return SUCCESS;
    NEED(from && device_memory(to, bytes), INVALID_VALUE);
    if (is_pinned(from, bytes)) {
        // Read when the copy runs.
        note("cuMemcpyHtoDAsync %zu pinned", bytes);
        auto copy = [=] { return memcpy((void *)to, from, bytes), SUCCESS; };
        submit(stream, copy, {{(Address)from, bytes}}, true);
        return SUCCESS;
    }
    if (stream->capturing)
        refuse("a copy from pageable memory was captured: each launch of the graph would read it again");
    // Pageable memory goes through a buffer of the driver's, which is filled before this returns.
    note("cuMemcpyHtoDAsync %zu pageable", bytes);
    std::string staged((const char *)from, bytes);
    submit(stream, [=] { return memcpy((void *)to, staged.data(), bytes), SUCCESS; }, {}, true);
    return SUCCESS;
}
API cuMemcpyDtoHAsync_v2(void *to, Address from, size_t bytes, Stream *handle) {
    ENTER_CONTEXT;
    STREAM(handle);
    if (!bytes)
        return SUCCESS;
    NEED(to && device_memory(from, bytes), INVALID_VALUE);
    const bool pinned = is_pinned(to, bytes);
    NEED(pinned || !spoils(context, stream, false), CAPTURE_UNSUPPORTED);
    note("cuMemcpyDtoHAsync %zu %s", bytes, pinned ? "pinned" : "pageable");
    auto copy = [=] { return memcpy(to, (void *)from, bytes), SUCCESS; };
    const uint64_t ticket = submit(stream, copy, {{(Address)to, bytes}}, true);
    // To pageable memory it returns when the bytes are there.
    if (!pinned)
        finish(ticket);
    return stream->context->broken;
}
API cuMemcpyHtoD_v2(Address to, const void *from, size_t bytes) {
    const int result = cuMemcpyHtoDAsync_v2(to, from, bytes, nullptr);
    return result ? result : cuStreamSynchronize(nullptr);
}
API cuMemcpyDtoH_v2(void *to, Address from, size_t bytes) {
    const int result = cuMemcpyDtoHAsync_v2(to, from, bytes, nullptr);
    return result ? result : cuStreamSynchronize(nullptr);
}
API cuMemcpyDtoDAsync_v2(Address to, Address from, size_t bytes, Stream *handle) {
    ENTER_CONTEXT;
    STREAM(handle);
    if (!bytes)
        return SUCCESS;
    NEED(device_memory(to, bytes) && device_memory(from, bytes), INVALID_VALUE);
    note("cuMemcpyDtoDAsync %zu", bytes);
    submit(stream, [=] { return memmove((void *)to, (void *)from, bytes), SUCCESS; }, {}, true);
    return SUCCESS;
}
API cuMemcpyPeerAsync(Address to, Context *to_context, Address from, Context *from_context, size_t bytes, Stream *handle) {
    ENTER_CONTEXT;
    NEED(is_context(to_context) && is_context(from_context), INVALID_CONTEXT);
    STREAM(handle);
    if (!bytes)
        return SUCCESS;
    Memory *target = device_memory(to, bytes), *source = device_memory(from, bytes);
    NEED(target && source && target->context == to_context && source->context == from_context, INVALID_VALUE);
    note("cuMemcpyPeerAsync %zu %d to %d", bytes, source->device, target->device);
    submit(stream, [=] { return memmove((void *)to, (void *)from, bytes), SUCCESS; }, {}, true);
    return SUCCESS;
}
API cuMemsetD8Async(Address to, unsigned char value, size_t bytes, Stream *handle) {
    ENTER_CONTEXT;
    STREAM(handle);
    if (!bytes)
        return SUCCESS;
    Memory *memory = memory_at(to, bytes);
    NEED(memory, INVALID_VALUE);
    submit(stream, [=] { return memset((void *)to, value, bytes), SUCCESS; });
    return SUCCESS;
}
