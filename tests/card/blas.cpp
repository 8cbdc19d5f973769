// A stand-in for libcublas and libcublasLt on the processor, for tests: column-major products as NVIDIA documents them, on
// memory that the processor can touch. Arguments are checked as documented and refused with the documented status; every
// product is written down (`standin_blas_log`). Each product overwrites the beginning and the end of the lent workspace, so
// that a caller who lends memory in use, or none, is found out.
//
// Numbers of types, statuses and attributes are those of the headers library_types.h, cublas_api.h and cublasLt.h.

// Beneath the stand-in for the driver (`driver.cpp`) products are work of their stream. `CARD_BLAS_LOG` names a file for what is
// written down.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>

namespace {
enum Status { SUCCESS = 0, NOT_INITIALIZED = 1, INVALID_VALUE = 7, EXECUTION_FAILED = 13, NOT_SUPPORTED = 15 };
enum Type { R_32F = 0, R_64F = 1, R_16F = 2, R_16BF = 14 };
enum Compute { C_16F = 64, C_32F = 68, C_64F = 70, C_FAST_16F = 74, C_FAST_16BF = 75, C_FAST_TF32 = 77 };

thread_local std::string written;

void write_down(const char *line) {
    written += line;
    if (const char *path = getenv("CARD_BLAS_LOG"))
        if (FILE *file = fopen(path, "a")) {
            fputs(line, file);
            fclose(file);
        }
}

// Runs work when its stream comes to it, where there is a stand-in for the driver; else at once.
template <class F> int queue(void *stream, F work) {
    typedef int (*Submit)(void *, int (*)(void *), void (*)(void *), void *);
    void *driver = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    const Submit submit = driver ? (Submit)dlsym(driver, "card_submit") : nullptr;
    if (!submit) {
        work();
        return SUCCESS;
    }
    F *kept = new F(work);
    const int refused = submit(
        stream,
        [](void *data) {
            (*(F *)data)();
            return 0;
        },
        [](void *data) { delete (F *)data; }, kept);
    return refused ? EXECUTION_FAILED : SUCCESS;
}

size_t size_of(int type) {
    return type == R_64F ? 8 : type == R_32F ? 4 : 2;
}

// ---- numbers -----------------------------------------------------------------------------------------------------------------

float bits(uint32_t v) {
    float f;
    memcpy(&f, &v, 4);
    return f;
}
uint32_t bits(float f) {
    uint32_t v;
    memcpy(&v, &f, 4);
    return v;
}
// Cut to `kept` bits of fraction, to nearest, ties to even.
float shorten(float f, int kept) {
    if (std::isnan(f) || std::isinf(f))
        return f;
    const int dropped = 23 - kept;
    const uint32_t v = bits(f);
    return bits((v + (1u << (dropped - 1)) - 1 + (v >> dropped & 1)) >> dropped << dropped);
}
float from_half(uint16_t h) {
    const int exponent = h >> 10 & 31, fraction = h & 1023;
    const float sign = h >> 15 ? -1.0f : 1.0f;
    if (exponent == 31)
        return fraction ? NAN : sign * INFINITY;
    return sign * (exponent ? std::ldexp(1024.0f + fraction, exponent - 25) : std::ldexp((float)fraction, -24));
}
uint16_t to_half(float f) {
    const uint16_t sign = bits(f) >> 16 & 0x8000;
    if (std::isnan(f))
        return 0x7e00;
    int exponent;
    const float size = std::fabs(f);
    std::frexp(size, &exponent);
    // A unit in the last place: 2^-24 for what is not normal.
    const int unit = std::isinf(size) ? 0 : (exponent - 11 < -24 ? -24 : exponent - 11);
    const float rounded = std::isinf(size) ? size : std::ldexp(std::nearbyint(std::ldexp(size, -unit)), unit);
    if (rounded >= 65520.0f)
        return sign | 0x7c00;
    if (rounded < std::ldexp(1.0f, -14))
        return sign | (uint16_t)std::ldexp(rounded, 24);
    std::frexp(rounded, &exponent);
    return sign | (uint16_t)((exponent + 14) << 10) | ((uint16_t)std::ldexp(rounded, 11 - exponent) & 1023);
}
double load(const void *p, int64_t i, int type) {
    switch (type) {
    case R_64F:
        return ((const double *)p)[i];
    case R_32F:
        return ((const float *)p)[i];
    case R_16F:
        return from_half(((const uint16_t *)p)[i]);
    default:
        return bits((uint32_t)((const uint16_t *)p)[i] << 16);
    }
}
void store(void *p, int64_t i, int type, double v) {
    switch (type) {
    case R_64F:
        ((double *)p)[i] = v;
        break;
    case R_32F:
        ((float *)p)[i] = (float)v;
        break;
    case R_16F:
        ((uint16_t *)p)[i] = to_half((float)v);
        break;
    default:
        ((uint16_t *)p)[i] = (uint16_t)(bits(shorten((float)v, 7)) >> 16);
    }
}
// What an operand is multiplied as.
double rounded(double v, int compute) {
    switch (compute) {
    case C_FAST_TF32:
    case C_FAST_16F:
        return shorten((float)v, 10);
    case C_FAST_16BF:
        return shorten((float)v, 7);
    default:
        return v;
    }
}
int scale_of(int compute) {
    return compute == C_64F ? R_64F : compute == C_16F ? R_16F : R_32F;
}
// The documented combinations of types, of those with real floats.
bool goes_together(int compute, int a, int b, int c) {
    switch (compute) {
    case C_16F:
        return a == R_16F && b == R_16F && c == R_16F;
    case C_32F:
        return a == b && (a == R_32F ? c == R_32F : (a == R_16F || a == R_16BF) && (c == a || c == R_32F));
    case C_FAST_16F:
    case C_FAST_16BF:
    case C_FAST_TF32:
        return a == R_32F && b == R_32F && c == R_32F;
    case C_64F:
        return a == R_64F && b == R_64F && c == R_64F;
    default:
        return false;
    }
}

struct Operand {
    const void *data;
    int type;
    int64_t leading;
    bool transposed;
    double get(int64_t row, int64_t col) const {
        return load(data, transposed ? col + row * leading : row + col * leading, type);
    }
};

// out = alpha * a @ b + beta * c + bias, `bias` of m elements for every column.
void product(int64_t m, int64_t n, int64_t k, int compute, double alpha, Operand a, Operand b, double beta, const void *c,
             int64_t c_leading, void *out, int64_t leading, int type, const void *bias) {
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            double sum = 0;
            for (int64_t l = 0; l < k; l++) {
                const double x = rounded(a.get(i, l), compute), y = rounded(b.get(l, j), compute);
                sum = compute == C_64F ? sum + x * y : (float)(sum + x * y);
                if (compute == C_16F)
                    sum = from_half(to_half((float)sum));
            }
            double v = alpha * sum;
            // With beta 0 nothing is read: there may be NaN.
            if (beta != 0)
                v += beta * load(c, i + j * c_leading, type);
            if (bias)
                v += load(bias, i, type);
            store(out, i + j * leading, type, v);
        }
}

bool misaligned(const void *p, int type) {
    return (uintptr_t)p % size_of(type) != 0;
}
// Overwrites the beginning of what was lent, and its last byte.
void spoil(void *workspace, size_t bytes) {
    if (!workspace || bytes == 0)
        return;
    memset(workspace, 0xa5, bytes < 4096 ? bytes : 4096);
    ((char *)workspace)[bytes - 1] = 0;
}
int64_t most(int64_t a, int64_t b) {
    return a > b ? a : b;
}
} // namespace

#pragma GCC visibility push(default)
extern "C" {
// What was written down since the last call; `to` takes at most `room` bytes, and the answer says how many there are.
size_t standin_blas_log(char *to, size_t room) {
    const size_t size = written.size() < room ? written.size() : room;
    memcpy(to, written.data(), size);
    const size_t all = written.size();
    if (all <= room)
        written.clear();
    return all;
}

// ---- cuBLAS ------------------------------------------------------------------------------------------------------------------

struct Blas {
    void *stream;
    void *workspace;
    size_t bytes;
    int math;
};

int cublasCreate_v2(Blas **handle) {
    if (!handle)
        return INVALID_VALUE;
    *handle = new Blas{nullptr, nullptr, 0, 0};
    return SUCCESS;
}
int cublasDestroy_v2(Blas *handle) {
    if (!handle)
        return NOT_INITIALIZED;
    delete handle;
    return SUCCESS;
}
int cublasSetStream_v2(Blas *handle, void *stream) {
    if (!handle)
        return NOT_INITIALIZED;
    // "Unconditionally resets the workspace back to the default workspace pool."
    *handle = Blas{stream, nullptr, 0, handle->math};
    return SUCCESS;
}
int cublasSetWorkspace_v2(Blas *handle, void *workspace, size_t bytes) {
    if (!handle)
        return NOT_INITIALIZED;
    if ((uintptr_t)workspace % 256)
        return INVALID_VALUE;
    handle->workspace = workspace;
    handle->bytes = bytes;
    return SUCCESS;
}
int cublasSetMathMode(Blas *handle, int mode) {
    if (!handle)
        return NOT_INITIALIZED;
    // Default, pedantic, TF32, and the flag against reductions in reduced precision.
    const int base = mode & ~16;
    if (base != 0 && base != 2 && base != 3)
        return INVALID_VALUE;
    handle->math = mode;
    return SUCCESS;
}

int cublasGemmStridedBatchedEx(Blas *handle, int transa, int transb, int m, int n, int k, const void *alpha, const void *a,
                               int a_type, int lda, long long a_step, const void *b, int b_type, int ldb, long long b_step,
                               const void *beta, void *c, int c_type, int ldc, long long c_step, int batch, int compute, int) {
    if (!handle)
        return NOT_INITIALIZED;
    if (m < 0 || n < 0 || k < 0 || batch < 0 || transa < 0 || transa > 2 || transb < 0 || transb > 2)
        return INVALID_VALUE;
    if (lda < most(1, transa ? k : m) || ldb < most(1, transb ? n : k) || ldc < most(1, m) || !alpha || !beta)
        return INVALID_VALUE;
    if (!goes_together(compute, a_type, b_type, c_type))
        return NOT_SUPPORTED;
    if (m == 0 || n == 0 || batch == 0)
        return SUCCESS;
    // The results of a batch must not overlap.
    const long long apart = c_step < 0 ? -c_step : c_step;
    if (batch > 1 && apart < (long long)ldc * (n - 1) + m)
        return INVALID_VALUE;
    if (!c || (k > 0 && (!a || !b)) || misaligned(a, a_type) || misaligned(b, b_type) || misaligned(c, c_type))
        return INVALID_VALUE;
    const int scale = scale_of(compute);
    const double factor = load(alpha, 0, scale), keep = load(beta, 0, scale);
    char line[256];
    snprintf(line, sizeof line, "gemm %c%c %dx%dx%d batch %d types %d compute %d math %d alpha %g beta %g stream %zx workspace %zu\n",
             transa ? 'T' : 'N', transb ? 'T' : 'N', m, n, k, batch, a_type, compute, handle->math, factor, keep,
             (size_t)handle->stream, handle->bytes);
    write_down(line);
    void *workspace = handle->workspace;
    const size_t bytes = handle->bytes;
    return queue(handle->stream, [=] {
        spoil(workspace, bytes);
        for (int i = 0; i < batch; i++) {
            const char *x = (const char *)a + i * a_step * (long long)size_of(a_type);
            const char *y = (const char *)b + i * b_step * (long long)size_of(b_type);
            char *z = (char *)c + i * c_step * (long long)size_of(c_type);
            product(m, n, k, compute, factor, {x, a_type, lda, transa != 0}, {y, b_type, ldb, transb != 0}, keep, z, ldc, z,
                    ldc, c_type, nullptr);
        }
    });
}

// ---- cuBLASLt ----------------------------------------------------------------------------------------------------------------

struct Lt {
    int unused;
};
struct MatmulDesc {
    int compute, scale;
    int32_t transposed[2];
    uint32_t epilogue;
    const void *bias;
};
struct Layout {
    int type;
    uint64_t rows, cols;
    int64_t leading;
};
struct Preference {
    uint64_t workspace;
    uint32_t schemes, alignments[4];
};
struct Algorithm {
    uint64_t magic, sizes[3], alignments, workspace, schemes, epilogue;
};
struct Found {
    Algorithm algorithm;
    size_t workspace;
    int state;
    float waves;
    int reserved[4];
};
static const uint64_t MAGIC = 0x7379617264626c61;

int cublasLtCreate(Lt **handle) {
    *handle = new Lt{0};
    return SUCCESS;
}
int cublasLtDestroy(Lt *handle) {
    delete handle;
    return SUCCESS;
}
int cublasLtMatmulDescCreate(MatmulDesc **desc, int compute, int scale) {
    *desc = new MatmulDesc{compute, scale, {0, 0}, 1, nullptr};
    return SUCCESS;
}
int cublasLtMatmulDescDestroy(MatmulDesc *desc) {
    delete desc;
    return SUCCESS;
}
// An attribute's bytes, if that is how many there are.
static int put(void *place, size_t wanted, const void *from, size_t bytes) {
    if (!from || bytes != wanted)
        return INVALID_VALUE;
    memcpy(place, from, bytes);
    return SUCCESS;
}
int cublasLtMatmulDescSetAttribute(MatmulDesc *desc, int attribute, const void *from, size_t bytes) {
    switch (attribute) {
    case 3:
    case 4:
        return put(&desc->transposed[attribute - 3], 4, from, bytes);
    case 7:
        return put(&desc->epilogue, 4, from, bytes);
    case 8:
        return put(&desc->bias, sizeof(void *), from, bytes);
    default:
        return INVALID_VALUE;
    }
}
int cublasLtMatrixLayoutCreate(Layout **layout, int type, uint64_t rows, uint64_t cols, int64_t leading) {
    *layout = new Layout{type, rows, cols, leading};
    return SUCCESS;
}
int cublasLtMatrixLayoutDestroy(Layout *layout) {
    delete layout;
    return SUCCESS;
}
int cublasLtMatmulPreferenceCreate(Preference **preference) {
    *preference = new Preference{0, 7, {256, 256, 256, 256}};
    return SUCCESS;
}
int cublasLtMatmulPreferenceDestroy(Preference *preference) {
    delete preference;
    return SUCCESS;
}
int cublasLtMatmulPreferenceSetAttribute(Preference *preference, int attribute, const void *from, size_t bytes) {
    switch (attribute) {
    case 1:
        return put(&preference->workspace, 8, from, bytes);
    case 3:
        return put(&preference->schemes, 4, from, bytes);
    case 5:
    case 6:
    case 7:
    case 8:
        return put(&preference->alignments[attribute - 5], 4, from, bytes);
    default:
        return INVALID_VALUE;
    }
}

// Whether descriptions fit each other; on success the product's sizes.
static int fit(const MatmulDesc *desc, const Layout *a, const Layout *b, const Layout *c, const Layout *d, uint64_t sizes[3]) {
    if (!desc || !a || !b || !c || !d)
        return INVALID_VALUE;
    for (const Layout *layout : {a, b, c, d})
        if (layout->rows == 0 || layout->cols == 0 || layout->leading < (int64_t)layout->rows)
            return INVALID_VALUE;
    const bool ta = desc->transposed[0] != 0, tb = desc->transposed[1] != 0;
    sizes[0] = ta ? a->cols : a->rows;
    sizes[1] = tb ? b->rows : b->cols;
    sizes[2] = ta ? a->rows : a->cols;
    if ((tb ? b->cols : b->rows) != sizes[2] || d->rows != sizes[0] || d->cols != sizes[1] || c->rows != d->rows || c->cols != d->cols)
        return INVALID_VALUE;
    if (!goes_together(desc->compute, a->type, b->type, d->type) || c->type != d->type || desc->scale != scale_of(desc->compute))
        return NOT_SUPPORTED;
    // Of the epilogues, none and a bias are here.
    return desc->epilogue == 1 || desc->epilogue == 4 ? SUCCESS : NOT_SUPPORTED;
}

int cublasLtMatmulAlgoGetHeuristic(Lt *handle, MatmulDesc *desc, Layout *a, Layout *b, Layout *c, Layout *d,
                                   Preference *preference, int wanted, Found *found, int *count) {
    if (!handle)
        return NOT_INITIALIZED;
    uint64_t sizes[3];
    if (const int status = fit(desc, a, b, c, d, sizes))
        return status;
    if (wanted < 1 || !found || !count || !preference)
        return INVALID_VALUE;
    write_down("heuristic\n");
    *count = 0;
    // No shape is promised an algorithm: this inner dimension has none, so that callers show what they do then.
    if (sizes[2] == 13)
        return NOT_SUPPORTED;
    const uint64_t need = preference->workspace < 4096 ? preference->workspace : 4096;
    uint64_t alignments = 0;
    for (int i = 0; i < 4; i++)
        alignments |= (uint64_t)preference->alignments[i] << 16 * i;
    *found = Found{{MAGIC, {sizes[0], sizes[1], sizes[2]}, alignments, need, preference->schemes, desc->epilogue},
                   (size_t)need, SUCCESS, 1.0f, {0, 0, 0, 0}};
    *count = 1;
    return SUCCESS;
}

int cublasLtMatmul(Lt *handle, MatmulDesc *desc, const void *alpha, const void *a, Layout *a_layout, const void *b,
                   Layout *b_layout, const void *beta, const void *c, Layout *c_layout, void *d, Layout *d_layout,
                   const Algorithm *algorithm, void *workspace, size_t bytes, void *stream) {
    if (!handle)
        return NOT_INITIALIZED;
    uint64_t sizes[3];
    if (const int status = fit(desc, a_layout, b_layout, c_layout, d_layout, sizes))
        return status;
    if (!alpha || !beta || !a || !b || !d || (uintptr_t)workspace % 256 || (bytes > 0 && !workspace))
        return INVALID_VALUE;
    if (!algorithm || algorithm->magic != MAGIC || memcmp(algorithm->sizes, sizes, sizeof sizes) || algorithm->epilogue != desc->epilogue)
        return INVALID_VALUE;
    const void *pointers[] = {a, b, c, d};
    for (int i = 0; i < 4; i++)
        if ((uintptr_t)pointers[i] % (algorithm->alignments >> 16 * i & 0xffff))
            return INVALID_VALUE;
    if (bytes < algorithm->workspace || (desc->epilogue == 4 && !desc->bias))
        return INVALID_VALUE;
    const int type = d_layout->type;
    const double factor = load(alpha, 0, desc->scale), keep = load(beta, 0, desc->scale);
    char line[256];
    snprintf(line, sizeof line, "lt %c%c %zux%zux%zu types %d compute %d schemes %zu epilogue %u alpha %g beta %g stream %zx workspace %zu\n",
             desc->transposed[0] ? 'T' : 'N', desc->transposed[1] ? 'T' : 'N', (size_t)sizes[0], (size_t)sizes[1],
             (size_t)sizes[2], type, desc->compute, (size_t)algorithm->schemes, desc->epilogue, factor, keep, (size_t)stream, bytes);
    write_down(line);
    const Operand left = {a, a_layout->type, a_layout->leading, desc->transposed[0] != 0};
    const Operand right = {b, b_layout->type, b_layout->leading, desc->transposed[1] != 0};
    const int64_t m = (int64_t)sizes[0], n = (int64_t)sizes[1], k = (int64_t)sizes[2];
    const int64_t c_leading = c_layout->leading, d_leading = d_layout->leading;
    const void *bias = desc->epilogue == 4 ? desc->bias : nullptr;
    const int compute = desc->compute;
    return queue(stream, [=] {
        spoil(workspace, bytes);
        product(m, n, k, compute, factor, left, right, keep, c, c_leading, d, d_leading, type, bias);
    });
}
}
#pragma GCC visibility pop
