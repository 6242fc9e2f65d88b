// A libnvidia-ml.so.1 without a GPU: one device whose answers are known.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define API extern "C" __attribute__((visibility("default"))) int

enum { OK = 0, INVALID_ARGUMENT = 2, NOT_SUPPORTED = 3, NOT_FOUND = 6, DRIVER_NOT_LOADED = 9 };
static const char *UUID = "GPU-10111213-1415-1617-1819-1a1b1c1d1e1f";
static int opened;
struct Memory { unsigned long long total, free, used; };

API nvmlInit_v2() {
  if (getenv("FAKE_NVML_DOWN")) return DRIVER_NOT_LOADED;
  opened++;
  return OK;
}
API nvmlShutdown() { opened--; return OK; }
API nvmlSystemGetDriverVersion(char *s, unsigned n) { snprintf(s, n, "580.00.01"); return OK; }
API nvmlDeviceGetHandleByUUID(const char *uuid, void **d) {
  if (!opened || strcmp(uuid, UUID)) return NOT_FOUND;
  *d = (void *)&UUID;
  return OK;
}
API nvmlDeviceGetName(void *d, char *s, unsigned n) {
  if (d != (void *)&UUID) return INVALID_ARGUMENT;
  snprintf(s, n, "Fake GPU 0");
  return OK;
}
API nvmlDeviceGetMemoryInfo(void *, Memory *m) { *m = {64ull << 30, 40ull << 30, 24ull << 30}; return OK; }
API nvmlDeviceGetClockInfo(void *, int type, unsigned *mhz) {
  if (type != 1 && type != 2) return INVALID_ARGUMENT;   // SM and memory
  *mhz = type == 1 ? 1980 : 3201;
  return OK;
}
API nvmlDeviceGetTemperature(void *, int sensor, unsigned *celsius) {
  if (sensor) return INVALID_ARGUMENT;
  *celsius = 51;
  return OK;
}
API nvmlDeviceGetTotalEccErrors(void *, int type, int counter, unsigned long long *n) {
  if (type != 1 || counter != 0) return INVALID_ARGUMENT;   // uncorrected, since the last boot
  if (getenv("FAKE_NVML_NO_ECC")) return NOT_SUPPORTED;
  *n = 3;
  return OK;
}
API nvmlDeviceGetPowerUsage(void *, unsigned *milliwatts) { *milliwatts = 412345; return OK; }
extern "C" __attribute__((visibility("default"))) const char *nvmlErrorString(int code) {
  return code == NOT_FOUND ? "Not Found" : code == DRIVER_NOT_LOADED ? "Driver Not Loaded" : "Error";
}
