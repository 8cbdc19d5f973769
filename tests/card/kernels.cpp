// The part of libcuda.so.1 that loads and launches kernels. An "image" is the text of a program and the names in it (see
// nvrtc.cpp). It is compiled by the machine's C++ compiler with the emulated device's header, and kept in CARD_CACHE.

#include "model.h"

#include <dlfcn.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <tuple>
#include <unistd.h>

extern char **environ;

static std::string cache() {
    const char *folder = getenv("CARD_CACHE");
    if (!folder)
        refuse("CARD_CACHE names no folder");
    return folder;
}

static uint64_t hash(const std::string &text) {
    uint64_t h = 0xcbf29ce484222325ull;
    for (unsigned char c : text)
        h = (h ^ c) * 0x100000001b3ull;
    return h;
}

// Runs after the kernels' text: calls one of them, and says how large its arguments are.
static std::string program(const std::string &text, const std::vector<std::string> &expressions) {
    std::string calls, sizes;
    for (size_t i = 0; i < expressions.size(); i++) {
        const std::string which = "    case " + std::to_string(i) + ": ";
        calls += which + "emulated::run_grid(grid, block, [](void *a) { emulated::call(" + expressions[i] +
                 ", (void **)a); }, args); break;\n";
        sizes += which + "return sizes_of(" + expressions[i] + ", sizes);\n";
    }
    return text +
           "\ntemplate <class... A> unsigned sizes_of(void (*)(A...), unsigned *out) {\n"
           "    unsigned n = 0;\n    ((out[n++] = sizeof(typename std::remove_reference<A>::type)), ...);\n    return n;\n}\n"
           "extern \"C\" void card_run(int which, const unsigned *grid, unsigned block, void **args) {\n    switch (which) {\n" +
           calls + "    }\n}\nextern \"C\" unsigned card_parameters(int which, unsigned *sizes) {\n    switch (which) {\n" +
           sizes + "    }\n    return 0;\n}\n";
}

static void *compile(const std::string &text) {
    const std::string folder = cache(), header = folder + "/device.h";
    char name[32];
    snprintf(name, sizeof name, "/%016llx", (unsigned long long)hash(text));
    const std::string library = folder + name + ".so";
    struct stat there;
    if (stat(library.c_str(), &there) != 0) {
        // Written beside and moved, since several processes may build the same.
        const std::string fresh = folder + name + "." + std::to_string(getpid()), source = fresh + ".cpp";
        FILE *file = fopen(source.c_str(), "w");
        if (!file || fwrite(text.data(), 1, text.size(), file) != text.size() || fclose(file))
            refuse("CARD_CACHE cannot be written");
        const char *words[] = {"c++",     "-std=c++17",   "-O0", "-w",          "-fPIC", "-shared", "-include",
                               header.c_str(), source.c_str(), "-o",  fresh.c_str(), nullptr};
        pid_t child;
        int status = 1;
        if (posix_spawnp(&child, "c++", nullptr, nullptr, (char **)words, environ) == 0)
            waitpid(child, &status, 0);
        unlink(source.c_str());
        if (status != 0)
            return nullptr;
        rename(fresh.c_str(), library.c_str());
    }
    return dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
}

API cuModuleLoadData(Module **out, const char *image) {
    std::lock_guard<std::recursive_mutex> guard(machine().lock);
    if (!current)
        return INVALID_CONTEXT;
    if (current->broken)
        return current->broken;
    if (!out || !image)
        return INVALID_VALUE;
    if (spoils(current, nullptr, true))
        return CAPTURE_UNSUPPORTED;
    char kind[8];
    int number, count, head = 0;
    size_t length;
    if (sscanf(image, "CARD %7s %d %d %zu\n%n", kind, &number, &count, &length, &head) != 4 || !head)
        return INVALID_IMAGE;
    // Machine code is for one generation and what comes after within it; PTX for every later one.
    const int capability = (int)setting("CARD_CAPABILITY", 80);
    const bool ptx = !strcmp(kind, "compute");
    if (number > capability || (!ptx && number / 10 != capability / 10))
        return NO_BINARY_FOR_GPU;
    if (ptx && image[head + length] != 0)
        return INVALID_PTX;
    const std::string body(image + head, length);
    std::vector<std::string> names, expressions;
    size_t at = 0;
    for (int i = 0; i < count; i++) {
        const size_t tab = body.find('\t', at), end = body.find('\n', at);
        if (tab == std::string::npos || end == std::string::npos || tab > end)
            return INVALID_IMAGE;
        names.push_back(body.substr(at, tab - at));
        expressions.push_back(body.substr(tab + 1, end - tab - 1));
        at = end + 1;
    }
    void *library = compile(program(body.substr(at), expressions));
    if (!library)
        return INVALID_PTX;
    Module *module = new Module{current, nullptr, nullptr, names};
    module->run = (decltype(module->run))dlsym(library, "card_run");
    module->parameters = (decltype(module->parameters))dlsym(library, "card_parameters");
    machine().modules.insert(module);
    *out = module;
    return SUCCESS;
}
API cuModuleUnload(Module *module) {
    std::lock_guard<std::recursive_mutex> guard(machine().lock);
    return machine().modules.erase(module) ? SUCCESS : INVALID_HANDLE;
}
API cuModuleGetFunction(Function **out, Module *module, const char *name) {
    std::lock_guard<std::recursive_mutex> guard(machine().lock);
    if (!out || !name)
        return INVALID_VALUE;
    if (!machine().modules.count(module))
        return INVALID_HANDLE;
    for (size_t i = 0; i < module->names.size(); i++)
        if (module->names[i] == name) {
            *out = new Function{module, (int)i};
            machine().functions.insert(*out);
            return SUCCESS;
        }
    return NOT_FOUND;
}

int Kernel::run() {
    std::vector<void *> pointers;
    for (std::string &value : values)
        pointers.push_back(&value[0]);
    function->module->run(function->which, grid, block, pointers.data());
    return SUCCESS;
}
int prepare(Function *function, const unsigned *grid, unsigned block, void **parameters, Kernel &out) {
    if (!machine().functions.count(function) || !machine().modules.count(function->module) ||
        function->module->context != current)
        return INVALID_HANDLE;
    const auto [gx, gy, gz] = std::make_tuple(grid[0], grid[1], grid[2]);
    if (!gx || !gy || !gz || gx > 0x7fffffffu || gy > 65535 || gz > 65535 || !block || block > 1024)
        return INVALID_VALUE;
    unsigned sizes[256];
    const unsigned count = function->module->parameters(function->which, sizes);
    std::vector<std::string> values;
    size_t total = 0;
    for (unsigned i = 0; i < count; i++) {
        if (!parameters || !parameters[i])
            return INVALID_VALUE;
        values.emplace_back((const char *)parameters[i], sizes[i]);
        total += sizes[i];
    }
    if (total > 4096)
        return INVALID_VALUE;
    out = {function, {gx, gy, gz}, block, std::move(values)};
    return SUCCESS;
}

API cuLaunchKernel(Function *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, Stream *handle, void **parameters, void **extra) {
    std::lock_guard<std::recursive_mutex> guard(machine().lock);
    Context *context = current;
    if (!context)
        return INVALID_CONTEXT;
    if (context->broken)
        return context->broken;
    Stream *stream = (uintptr_t)handle <= 1 ? context->legacy : handle;
    if (stream != context->legacy && !machine().streams.count(stream))
        return INVALID_HANDLE;
    if (stream->context != context)
        return INVALID_HANDLE;
    if (!by || !bz)
        return INVALID_VALUE;
    // The emulated device has blocks of one dimension and no memory that a launch asks for.
    if (by != 1 || bz != 1 || shared || extra)
        return NOT_SUPPORTED;
    Kernel kernel;
    const unsigned grid[3] = {gx, gy, gz};
    if (const int result = prepare(function, grid, bx, parameters, kernel))
        return result;
    if (stream->capturing) {
        stream->capturing->nodes.push_back(new GraphNode{std::move(kernel), {}});
        return SUCCESS;
    }
    note("cuLaunchKernel %d", context->device);
    static long launches = 0;
    if (++launches == setting("CARD_FAULT", 0)) {
        submit(stream, [] { return ILLEGAL_ADDRESS; });
        return SUCCESS;
    }
    submit(stream, [kernel]() mutable { return kernel.run(); });
    return SUCCESS;
}

// Runs a function of another stand-in library as work of a stream, such as a product: `work` returns a CUresult, `host` is
// given back to it.
API card_submit(Stream *handle, int (*work)(void *), void (*done)(void *), void *data) {
    std::lock_guard<std::recursive_mutex> guard(machine().lock);
    if (!current)
        return INVALID_CONTEXT;
    if (current->broken)
        return current->broken;
    Stream *stream = (uintptr_t)handle <= 1 ? current->legacy : handle;
    if (stream != current->legacy && !machine().streams.count(stream))
        return INVALID_HANDLE;
    if (stream->capturing) {
        // Every launch of the graph runs it, so it is never done.
        submit(stream, [=] { return work(data); });
        return SUCCESS;
    }
    submit(stream, [=] {
        const int result = work(data);
        done(data);
        return result;
    });
    return SUCCESS;
}
