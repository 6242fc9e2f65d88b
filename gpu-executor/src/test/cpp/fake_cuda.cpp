// A libcuda.so.1 without a GPU: host memory stands for device memory, streams run at once, and a few
// kernels are known by name. The unmodified JCuda library runs on it, so that what Java passes to the
// driver is checked. FAKE_CUDA_* in the environment plants faults.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#define API extern "C" __attribute__((visibility("default"))) int

namespace {
enum { OK = 0, INVALID_VALUE = 1, OUT_OF_MEMORY = 2, NO_DEVICE = 100, INVALID_DEVICE = 101,
       INVALID_CONTEXT = 201, INVALID_PTX = 218, NOT_FOUND = 500, NOT_READY = 600,
       ILLEGAL_ADDRESS = 700, ALREADY_REGISTERED = 712, NOT_REGISTERED = 713 };

long setting(const char *name, long otherwise) {
  const char *value = getenv(name);
  return value ? atol(value) : otherwise;
}

void tell(const char *what, long value) {
  if (!setting("FAKE_CUDA_TELL", 0)) return;
  printf("%s %ld\n", what, value);
  fflush(stdout);
}

struct Module { std::string code; bool assembled; };
struct Function { std::string name; int shared; };
struct Event { bool recorded; std::chrono::steady_clock::time_point at; };

std::mutex lock;
std::map<uintptr_t, size_t> allocated;
std::set<void *> registered;
size_t used;
int retained;
int sticky;
thread_local void *current;

size_t total() { return (size_t)setting("FAKE_CUDA_MIB", 64) << 20; }

// Whether a range lies within one allocation: what else a kernel or a copy touches is its fault.
bool inside(uintptr_t from, size_t bytes) {
  auto after = allocated.upper_bound(from);
  if (after == allocated.begin()) return false;
  --after;
  return from + bytes <= after->first + after->second;
}

int state() {
  if (sticky) return sticky;
  return current ? OK : INVALID_CONTEXT;
}

template <typename T> T argument(void **table, int index) {
  T value;
  memcpy(&value, table[index], sizeof value);
  return value;
}

// out[i] = 3 in[i] + addend for i < count
int addScaled(void **table, unsigned threads) {
  uintptr_t out = argument<uint64_t>(table, 0), in = argument<uint64_t>(table, 1);
  uint32_t count = argument<uint32_t>(table, 2);
  uint64_t addend = argument<uint64_t>(table, 3);
  if (count > threads) count = threads;
  if (!inside(out, 8ul * count) || !inside(in, 8ul * count)) return ILLEGAL_ADDRESS;
  for (uint32_t i = 0; i < count; i++) ((uint64_t *)out)[i] = 3 * ((uint64_t *)in)[i] + addend;
  return OK;
}

// out[block][thread] = x | y << 8 | thread << 16
int whereAmI(void **table, unsigned gridX, unsigned gridY, unsigned blockX) {
  uintptr_t out = argument<uint64_t>(table, 0);
  if (!inside(out, 4ul * gridX * gridY * blockX)) return ILLEGAL_ADDRESS;
  for (unsigned y = 0; y < gridY; y++)
    for (unsigned x = 0; x < gridX; x++)
      for (unsigned t = 0; t < blockX; t++)
        ((uint32_t *)out)[(y * gridX + x) * blockX + t] = x | y << 8 | t << 16;
  return OK;
}

// reverses the words of a block through dynamic shared memory
int reverse(void **table, unsigned blockX, unsigned shared) {
  uintptr_t data = argument<uint64_t>(table, 0);
  if (shared < 4 * blockX || !inside(data, 4ul * blockX)) return ILLEGAL_ADDRESS;
  std::vector<uint32_t> words((uint32_t *)data, (uint32_t *)data + blockX);
  for (unsigned t = 0; t < blockX; t++) ((uint32_t *)data)[t] = words[blockX - 1 - t];
  return OK;
}
}  // namespace

API cuInit(unsigned) { return (int)setting("FAKE_CUDA_INIT", OK); }
API cuDriverGetVersion(int *v) { *v = (int)setting("FAKE_CUDA_VERSION", 13000); return OK; }
API cuDeviceGetCount(int *n) { *n = (int)setting("FAKE_CUDA_DEVICES", 2); return OK; }
API cuDeviceGet(int *d, int i) {
  if (i < 0 || i >= setting("FAKE_CUDA_DEVICES", 2)) return INVALID_DEVICE;
  *d = i;
  return OK;
}
API cuDeviceGetName(char *s, int n, int d) { snprintf(s, n, "Fake GPU %d", d); return OK; }
API cuDeviceGetUuid(unsigned char *u, int d) {
  for (int i = 0; i < 16; i++) u[i] = (unsigned char)(0x10 * (d + 1) + i);
  return OK;
}
// The slice's own where FAKE_CUDA_SLICE is set.
API cuDeviceGetUuid_v2(unsigned char *u, int d) {
  cuDeviceGetUuid(u, d);
  if (setting("FAKE_CUDA_SLICE", 0)) u[15] = 0xee;
  return OK;
}
API cuDeviceGetPCIBusId(char *s, int n, int d) {
  snprintf(s, n, "0000:%02x:00.0", setting("FAKE_CUDA_FASTEST_FIRST", 0) ? 0x42 - d : 0x41 + d);
  return OK;
}
API cuDeviceGetAttribute(int *v, int a, int) {
  switch (a) {
    case 16: *v = 66; return OK;                                       // multiprocessors
    case 75: *v = (int)setting("FAKE_CUDA_SM", 90) / 10; return OK;
    case 76: *v = (int)setting("FAKE_CUDA_SM", 90) % 10; return OK;
    case 97: *v = 227 << 10; return OK;                                // shared memory on request
    default: return INVALID_VALUE;
  }
}
API cuDeviceTotalMem_v2(size_t *n, int) { *n = total(); return OK; }
// Waits of the context: 4 sleeps. Another library may have made it already.
API cuDevicePrimaryCtxSetFlags_v2(int, unsigned flags) {
  tell("context flags", flags);
  return (int)setting("FAKE_CUDA_FLAGS", OK);
}
API cuDevicePrimaryCtxRetain(void **c, int d) {
  int code = (int)setting("FAKE_CUDA_RETAIN", OK);
  if (code) return code;
  retained++;
  *c = (void *)(uintptr_t)(0x1000 + d);
  return OK;
}
API cuDevicePrimaryCtxRelease_v2(int) { retained--; tell("contexts left", retained); return sticky; }
API cuCtxSetCurrent(void *c) { current = c; return OK; }
API cuCtxGetDevice(int *d) {
  if (int code = (int)setting("FAKE_CUDA_CURRENT", OK)) return code;
  if (!current) return INVALID_CONTEXT;
  *d = (int)((uintptr_t)current - 0x1000);
  if (setting("FAKE_CUDA_SWAPPED", 0)) *d = 1 - *d;
  return OK;
}
API cuCtxSynchronize() { return state(); }

// JIT options come as keys and values; sizes are the values themselves, not pointers to them.
API cuModuleLoadDataEx(void **m, const void *image, unsigned n, int *keys, void **values) {
  if (int code = state()) return code;
  const char *text = (const char *)image;
  if (!memcmp(text, "\x7f" "ELF", 4)) {   // up to the end of the table of sections
    uint64_t sections;
    uint16_t each, count;
    memcpy(&sections, text + 0x28, 8);
    memcpy(&each, text + 0x3a, 2);
    memcpy(&count, text + 0x3c, 2);
    printf("an assembled module\n");
    fflush(stdout);
    *m = new Module{std::string(text, sections + (uint64_t)each * count), true};
    return OK;
  }
  if (!strstr(text, ".entry")) {
    char *log = nullptr;
    size_t room = 0;
    for (unsigned i = 0; i < n; i++) {
      if (keys[i] == 5) log = (char *)values[i];
      if (keys[i] == 6) room = (size_t)(uintptr_t)values[i];
    }
    if (log && room > 100 && room < 1 << 20) snprintf(log, room, "ptxas fatal: no entry in %zu bytes", strlen(text));
    return INVALID_PTX;
  }
  *m = new Module{text, false};
  return OK;
}
API cuModuleUnload(void *m) { delete (Module *)m; return state(); }
API cuModuleGetFunction(void **f, void *m, const char *name) {
  if (int code = state()) return code;
  const Module *module = (Module *)m;
  std::string wanted = module->assembled ? std::string(".text.") + name + '\0' : std::string(".entry ") + name + "(";
  if (module->code.find(wanted) == std::string::npos) return NOT_FOUND;
  *f = new Function{name, 48 << 10};
  return OK;
}
API cuFuncSetAttribute(void *f, int attribute, int value) {
  if (attribute != 8 || value > 227 << 10) return INVALID_VALUE;
  ((Function *)f)->shared = value;
  return OK;
}
API cuMemGetInfo_v2(size_t *free, size_t *all) {
  if (int code = state()) return code;
  *free = total() - used;
  *all = total();
  return OK;
}
API cuMemAlloc_v2(uintptr_t *p, size_t n) {
  std::lock_guard<std::mutex> guard(lock);
  if (int code = state()) return code;
  if (!n) return INVALID_VALUE;
  if (n > total() - used) return OUT_OF_MEMORY;
  void *memory;
  if (posix_memalign(&memory, 256, n)) return OUT_OF_MEMORY;
  memset(memory, 0xcd, n);
  allocated[(uintptr_t)memory] = n;
  used += n;
  *p = (uintptr_t)memory;
  return OK;
}
API cuMemFree_v2(uintptr_t p) {
  std::lock_guard<std::mutex> guard(lock);
  if (int code = state()) return code;
  auto found = allocated.find(p);
  if (found == allocated.end()) return INVALID_VALUE;
  used -= found->second;
  allocated.erase(found);
  free((void *)p);
  return OK;
}
API cuMemcpyHtoDAsync_v2(uintptr_t d, const void *s, size_t n, void *) {
  if (int code = state()) return code;
  if (!inside(d, n)) return INVALID_VALUE;
  memcpy((void *)d, s, n);
  return OK;
}
API cuMemcpyDtoHAsync_v2(void *d, uintptr_t s, size_t n, void *) {
  if (int code = state()) return code;
  if (!inside(s, n)) return INVALID_VALUE;
  memcpy(d, (void *)s, n);
  return OK;
}
API cuMemcpyDtoDAsync_v2(uintptr_t d, uintptr_t s, size_t n, void *) {
  if (int code = state()) return code;
  if (!inside(d, n) || !inside(s, n)) return INVALID_VALUE;
  memcpy((void *)d, (void *)s, n);
  return OK;
}
API cuMemsetD8Async(uintptr_t d, unsigned char v, size_t n, void *) {
  if (int code = state()) return code;
  if (!inside(d, n)) return INVALID_VALUE;
  memset((void *)d, v, n);
  return OK;
}
API cuMemHostRegister_v2(void *p, size_t n, unsigned) {
  if (int code = state()) return code;
  if (!p || !n) return INVALID_VALUE;
  if (int code = (int)setting("FAKE_CUDA_PIN", OK)) return code;
  return registered.insert(p).second ? OK : ALREADY_REGISTERED;
}
API cuMemHostUnregister(void *p) { return registered.erase(p) ? OK : NOT_REGISTERED; }
API cuStreamCreate(void **s, unsigned) { if (int code = state()) return code; *s = malloc(8); return OK; }
API cuStreamSynchronize(void *) { return state(); }
API cuStreamDestroy_v2(void *s) { free(s); return state(); }
API cuStreamWaitEvent(void *, void *, unsigned) { return state(); }
API cuEventCreate(void **e, unsigned flags) {
  if (int code = state()) return code;
  tell("event flags", flags);
  *e = new Event{};
  return OK;
}
API cuEventRecord(void *e, void *) {
  if (int code = state()) return code;
  *(Event *)e = {true, std::chrono::steady_clock::now()};
  return OK;
}
API cuEventSynchronize(void *) { return state(); }
API cuEventQuery(void *) { return state(); }
API cuEventElapsedTime(float *f, void *from, void *to) {
  if (int code = state()) return code;
  if (!((Event *)from)->recorded || !((Event *)to)->recorded) return INVALID_VALUE;
  *f = std::chrono::duration<float, std::milli>(((Event *)to)->at - ((Event *)from)->at).count();
  return OK;
}
API cuEventDestroy_v2(void *e) { delete (Event *)e; return state(); }
API cuGetErrorString(int code, const char **s) {
  *s = code == OUT_OF_MEMORY ? "out of memory"
     : code == ILLEGAL_ADDRESS ? "an illegal memory access was encountered"
     : code == NO_DEVICE ? "no CUDA-capable device is detected" : "error of the fake driver";
  return OK;
}
API cuLaunchKernel(void *f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz,
                   unsigned shared, void *, void **params, void **) {
  if (int code = state()) return code;
  Function *function = (Function *)f;
  if (!gx || !gy || gz != 1 || !bx || by != 1 || bz != 1 || bx > 1024 || (int)shared > function->shared) return INVALID_VALUE;
  int fault = OK;
  if (function->name == "add_scaled") fault = addScaled(params, gx * bx);
  else if (function->name == "where_am_i") fault = whereAmI(params, gx, gy, bx);
  else if (function->name == "reverse") fault = reverse(params, bx, shared);
  else if (function->name == "illegal") fault = (int)setting("FAKE_CUDA_FAULT", ILLEGAL_ADDRESS);
  else return NOT_FOUND;
  sticky = fault;   // as on a GPU: the launch itself succeeds, every later call fails
  return OK;
}
