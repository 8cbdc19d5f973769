// NVIDIA's management library for two cards, as its documentation describes it: a busy one with two processes, and one that
// tells nothing but its name and memory.

#include <cstddef>
#include <cstring>

#define API extern "C" __attribute__((visibility("default"))) int

enum { OK = 0, INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3, NO_PERMISSION = 4, INSUFFICIENT_SIZE = 7 };

static int cards[2];
static bool busy(void *card) { return card == &cards[0]; }

static int text(char *to, unsigned length, const char *from) {
    if (strlen(from) + 1 > length) return INSUFFICIENT_SIZE;
    strcpy(to, from);
    return OK;
}

struct Memory {
    unsigned version;
    unsigned long long total, reserved, free, used;
};

struct Utilization {
    unsigned gpu, memory;
};

struct Process {
    unsigned pid;
    unsigned long long used;
    unsigned instance, compute_instance;
};

API nvmlInit_v2() { return OK; }
API nvmlShutdown() { return OK; }
API nvmlSystemGetDriverVersion(char *to, unsigned length) { return text(to, length, "580.65.06"); }
API nvmlSystemGetCudaDriverVersion_v2(int *version) { return *version = 13000, OK; }
API nvmlDeviceGetCount_v2(unsigned *count) { return *count = 2, OK; }

API nvmlDeviceGetHandleByIndex_v2(unsigned index, void **card) {
    if (index > 1) return INVALID_ARGUMENT;
    return *card = &cards[index], OK;
}

API nvmlDeviceGetName(void *card, char *to, unsigned length) {
    return text(to, length, busy(card) ? "Stand-in 24 GB" : "Stand-in that is quiet");
}

API nvmlDeviceGetMemoryInfo_v2(void *card, Memory *memory) {
    if (memory->version != (sizeof(Memory) | 2u << 24)) return INVALID_ARGUMENT;
    unsigned long long used = busy(card) ? 5000ull << 20 : 3ull << 20, total = 24576ull << 20, reserved = 400ull << 20;
    *memory = {memory->version, total, reserved, total - reserved - used, used};
    return OK;
}

API nvmlDeviceGetUtilizationRates(void *card, Utilization *rates) {
    return busy(card) ? (*rates = {97, 40}, OK) : NOT_SUPPORTED;
}

API nvmlDeviceGetTemperature(void *card, int, unsigned *degrees) { return busy(card) ? (*degrees = 61, OK) : NOT_SUPPORTED; }
API nvmlDeviceGetPowerUsage(void *card, unsigned *milliwatts) { return busy(card) ? (*milliwatts = 271500, OK) : NOT_SUPPORTED; }

API nvmlDeviceGetEnforcedPowerLimit(void *card, unsigned *milliwatts) {
    return busy(card) ? (*milliwatts = 450000, OK) : NOT_SUPPORTED;
}

API nvmlDeviceGetComputeRunningProcesses_v3(void *card, unsigned *count, Process *to) {
    unsigned room = *count;
    *count = busy(card) ? 2 : 0;
    if (*count == 0) return OK;
    if (room < *count) return INSUFFICIENT_SIZE;
    to[0] = {4711, 4990ull << 20, ~0u, ~0u};
    // In a container the system doesn't say how much memory a process has.
    to[1] = {4712, ~0ull, ~0u, ~0u};
    return OK;
}

API nvmlSystemGetProcessName(unsigned pid, char *to, unsigned length) {
    return pid == 4711 ? text(to, length, "python3") : NO_PERMISSION;
}
