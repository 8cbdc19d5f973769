// libnvrtc.so: takes a program and gives an "image" that carries its text and the names of the kernels wanted from it, which
// the stand-in driver compiles (kernels.cpp).

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

#define API extern "C" __attribute__((visibility("default"))) int

// nvrtcResult.
enum { SUCCESS = 0, INVALID_INPUT = 3, INVALID_PROGRAM = 4, INVALID_OPTION = 5, COMPILATION = 6, NO_NAME = 10 };

struct Program {
    std::string text, log, image;
    std::vector<std::string> names;
    std::map<std::string, std::string> lowered;
    bool ptx;
};

static const int KNOWN[] = {70, 75, 80, 86, 89, 90};

API nvrtcVersion(int *major, int *minor) {
    *major = 12;
    *minor = 8;
    return SUCCESS;
}
API nvrtcGetNumSupportedArchs(int *count) {
    *count = sizeof KNOWN / sizeof *KNOWN;
    return SUCCESS;
}
API nvrtcGetSupportedArchs(int *list) {
    memcpy(list, KNOWN, sizeof KNOWN);
    return SUCCESS;
}
API nvrtcCreateProgram(Program **out, const char *text, const char *, int headers, const char *const *, const char *const *) {
    if (!out || !text || headers)
        return INVALID_INPUT;
    *out = new Program{};
    (*out)->text = text;
    return SUCCESS;
}
API nvrtcDestroyProgram(Program **program) {
    if (!program || !*program)
        return INVALID_PROGRAM;
    delete *program;
    *program = nullptr;
    return SUCCESS;
}
API nvrtcAddNameExpression(Program *program, const char *name) {
    program->names.push_back(name);
    return SUCCESS;
}
API nvrtcCompileProgram(Program *program, int count, const char *const *options) {
    std::string kind;
    int number = 0;
    for (int i = 0; i < count; i++) {
        char word[8];
        if (sscanf(options[i], "--gpu-architecture=%7[a-z]_%d", word, &number) == 2)
            kind = word;
        else if (strcmp(options[i], "--std=c++17")) {
            program->log = std::string("unknown option ") + options[i];
            return INVALID_OPTION;
        }
    }
    bool known = false;
    for (int architecture : KNOWN)
        known |= architecture == number;
    if (!known || (kind != "sm" && kind != "compute")) {
        program->log = "invalid value for --gpu-architecture";
        return INVALID_OPTION;
    }
    program->ptx = kind == "compute";
    std::string body;
    for (const std::string &name : program->names) {
        uint64_t hash = 0xcbf29ce484222325ull;
        for (unsigned char c : name)
            hash = (hash ^ c) * 0x100000001b3ull;
        char lowered[32];
        snprintf(lowered, sizeof lowered, "_Z4card%016llx", (unsigned long long)hash);
        program->lowered[name] = lowered;
        body += std::string(lowered) + "\t" + name + "\n";
    }
    body += program->text;
    program->image = "CARD " + kind + " " + std::to_string(number) + " " + std::to_string(program->names.size()) + " " +
                     std::to_string(body.size()) + "\n" + body;
    return SUCCESS;
}
API nvrtcGetLoweredName(Program *program, const char *name, const char **out) {
    auto found = program->lowered.find(name);
    if (found == program->lowered.end())
        return NO_NAME;
    *out = found->second.c_str();
    return SUCCESS;
}
API nvrtcGetProgramLogSize(Program *program, size_t *size) {
    *size = program->log.size() + 1;
    return SUCCESS;
}
API nvrtcGetProgramLog(Program *program, char *out) {
    memcpy(out, program->log.c_str(), program->log.size() + 1);
    return SUCCESS;
}
// PTX is text, with its end.
API nvrtcGetPTXSize(Program *program, size_t *size) {
    *size = program->image.size() + 1;
    return SUCCESS;
}
API nvrtcGetPTX(Program *program, char *out) {
    memcpy(out, program->image.c_str(), program->image.size() + 1);
    return SUCCESS;
}
API nvrtcGetCUBINSize(Program *program, size_t *size) {
    *size = program->ptx ? 0 : program->image.size();
    return SUCCESS;
}
API nvrtcGetCUBIN(Program *program, char *out) {
    if (program->ptx)
        return INVALID_PROGRAM;
    memcpy(out, program->image.data(), program->image.size());
    return SUCCESS;
}
