package io.cuzk.gpu;

import io.cuzk.DeviceException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import jcuda.driver.CUresult;
import jcuda.driver.JCudaDriver;

/**
 * The CUDA driver of this machine through JCuda, loaded at most once.
 *
 * <p>JCuda unpacks its native library under a fixed name into {@code java.io.tmpdir} and loads
 * whatever lies there: half a file of another process, or another user's, ends the JVM. So it gets
 * a fresh directory, only this user's, which is removed once the library is loaded. And where the
 * driver is absent JCuda's classes fail differently at the first and at every later touch: so they
 * are not touched then.
 */
final class CudaDriver {
  /** CUDA 12.0, the first whose functions JCuda 12.6 expects: drivers from 525 on. */
  private static final int OLDEST = 12000;

  private static final String INSTEAD = ", or choose --backend cpu";

  /** Codes after which the context of the process is lost. */
  private static final List<Integer> FATAL =
      List.of(
          CUresult.CUDA_ERROR_DEINITIALIZED,
          CUresult.CUDA_ERROR_ECC_UNCORRECTABLE,
          CUresult.CUDA_ERROR_NVLINK_UNCORRECTABLE,
          CUresult.CUDA_ERROR_ILLEGAL_ADDRESS,
          CUresult.CUDA_ERROR_LAUNCH_TIMEOUT,
          CUresult.CUDA_ERROR_CONTEXT_IS_DESTROYED,
          CUresult.CUDA_ERROR_ASSERT,
          CUresult.CUDA_ERROR_HARDWARE_STACK_ERROR,
          CUresult.CUDA_ERROR_ILLEGAL_INSTRUCTION,
          CUresult.CUDA_ERROR_MISALIGNED_ADDRESS,
          CUresult.CUDA_ERROR_INVALID_ADDRESS_SPACE,
          CUresult.CUDA_ERROR_INVALID_PC,
          CUresult.CUDA_ERROR_LAUNCH_FAILED,
          CUresult.CUDA_ERROR_UNKNOWN);

  private CudaDriver() {}

  private static final class Holder {
    static final Optional<String> MISSING = start();
  }

  /** Why the driver cannot be used, and what to do; empty if it can. */
  static Optional<String> unavailable() {
    return Holder.MISSING;
  }

  private static Optional<String> start() {
    String architecture = System.getProperty("os.name") + " " + System.getProperty("os.arch");
    if (!architecture.equals("Linux amd64")) {
      return Optional.of(
          "this build's CUDA library is for Linux on x86-64, found " + architecture + INSTEAD);
    }
    try (Arena arena = Arena.ofConfined()) {
      SymbolLookup.libraryLookup("libcuda.so.1", arena);
    } catch (IllegalArgumentException e) {
      return Optional.of(
          "no NVIDIA driver: libcuda.so.1 is not on the library path;"
              + " install NVIDIA's driver, 525 or newer"
              + INSTEAD);
    }
    try {
      loadLibrary();
      return initialise();
    } catch (IOException e) {
      return Optional.of(
          "JCuda's library cannot be unpacked below %s: %s; free space there or set -Djava.io.tmpdir"
              .formatted(System.getProperty("java.io.tmpdir"), e));
    } catch (LinkageError e) {
      return Optional.of(
          "JCuda's library and this driver do not fit: "
              + firstLine(e)
              + "; install NVIDIA's driver, 525 or newer"
              + INSTEAD);
    }
  }

  private static String firstLine(Throwable thrown) {
    return String.valueOf(thrown.getMessage()).lines().findFirst().orElse(thrown.toString());
  }

  private static void loadLibrary() throws IOException {
    String before = System.getProperty("java.io.tmpdir");
    Path fresh = Files.createTempDirectory("cuzk-jcuda-");
    try {
      System.setProperty("java.io.tmpdir", fresh.toString());
      JCudaDriver.setExceptionsEnabled(false);
    } finally {
      System.setProperty("java.io.tmpdir", before);
      remove(fresh);
    }
  }

  /** A loaded library stays mapped when its file is gone. */
  private static void remove(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private static Optional<String> initialise() {
    int result = JCudaDriver.cuInit(0);
    if (result != CUresult.CUDA_SUCCESS) {
      return Optional.of(describe(result, "cuInit") + remedy(result));
    }
    int[] value = new int[1];
    result = JCudaDriver.cuDriverGetVersion(value);
    if (result != CUresult.CUDA_SUCCESS) {
      return Optional.of(describe(result, "cuDriverGetVersion"));
    }
    if (value[0] < OLDEST) {
      return Optional.of(
          "the driver knows CUDA %d.%d, needed is 12.0; install NVIDIA's driver, 525 or newer"
                  .formatted(value[0] / 1000, value[0] % 1000 / 10)
              + INSTEAD);
    }
    result = JCudaDriver.cuDeviceGetCount(value);
    if (result != CUresult.CUDA_SUCCESS) {
      return Optional.of(describe(result, "cuDeviceGetCount") + remedy(result));
    }
    if (value[0] == 0) {
      return Optional.of(
          describe(CUresult.CUDA_ERROR_NO_DEVICE, "cuDeviceGetCount")
              + remedy(CUresult.CUDA_ERROR_NO_DEVICE));
    }
    return Optional.empty();
  }

  private static String remedy(int result) {
    String visible = System.getenv("CUDA_VISIBLE_DEVICES");
    return switch (result) {
      case CUresult.CUDA_ERROR_NO_DEVICE ->
          visible == null
              ? "; the driver sees no GPU: check nvidia-smi" + INSTEAD
              : "; CUDA_VISIBLE_DEVICES is \"" + visible + "\": name a GPU of nvidia-smi -L there";
      case CUresult.CUDA_ERROR_SYSTEM_NOT_READY -> "; start nvidia-fabricmanager" + INSTEAD;
      case CUresult.CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, CUresult.CUDA_ERROR_UNKNOWN ->
          "; the kernel module and the library differ or the module is not loaded: check"
              + " nvidia-smi, restart the machine after an update of the driver"
              + INSTEAD;
      default -> "; check nvidia-smi" + INSTEAD;
    };
  }

  private static String describe(int result, String call) {
    String[] text = new String[1];
    boolean known = JCudaDriver.cuGetErrorString(result, text) == CUresult.CUDA_SUCCESS;
    return "%s: %s (%d)%s"
        .formatted(
            call,
            CUresult.stringFor(result),
            result,
            known && text[0] != null ? ": " + text[0] : "");
  }

  private static DeviceException.Kind kind(int result) {
    return switch (result) {
      case CUresult.CUDA_ERROR_OUT_OF_MEMORY -> DeviceException.Kind.OUT_OF_MEMORY;
      case CUresult.CUDA_ERROR_DEVICE_UNAVAILABLE -> DeviceException.Kind.BUSY;
      default -> FATAL.contains(result) ? DeviceException.Kind.FATAL : DeviceException.Kind.REFUSED;
    };
  }

  /**
   * Throws what a driver call's result means.
   *
   * @param more appended to the message
   */
  static void require(int result, String call, String more) {
    if (result != CUresult.CUDA_SUCCESS) {
      throw new DeviceException(
          kind(result), describe(result, call) + (more.isEmpty() ? "" : "; " + more));
    }
  }

  /** Throws what a driver call's result means. */
  static void require(int result, String call) {
    require(result, call, "");
  }
}
