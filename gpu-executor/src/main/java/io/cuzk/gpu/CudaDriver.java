package io.cuzk.gpu;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import io.cuzk.DeviceException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Optional;
import java.util.Set;
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

  private static final String LIBRARY = "libcuda.so.1";
  private static final String INSTEAD = ", or choose --backend cpu";

  /**
   * Codes by which a call is refused while the context stays what it was. Any other code, also one
   * that JCuda does not know yet, may mean that the context is lost: then every later call fails,
   * and to go on would cost one partition after the other.
   */
  private static final Set<Integer> REFUSALS =
      Set.of(
          CUresult.CUDA_ERROR_INVALID_VALUE,
          CUresult.CUDA_ERROR_STUB_LIBRARY,
          CUresult.CUDA_ERROR_NO_DEVICE,
          CUresult.CUDA_ERROR_INVALID_DEVICE,
          CUresult.CUDA_ERROR_DEVICE_NOT_LICENSED,
          CUresult.CUDA_ERROR_INVALID_IMAGE,
          CUresult.CUDA_ERROR_NO_BINARY_FOR_GPU,
          CUresult.CUDA_ERROR_UNSUPPORTED_LIMIT,
          CUresult.CUDA_ERROR_INVALID_PTX,
          CUresult.CUDA_ERROR_JIT_COMPILER_NOT_FOUND,
          CUresult.CUDA_ERROR_UNSUPPORTED_PTX_VERSION,
          CUresult.CUDA_ERROR_JIT_COMPILATION_DISABLED,
          CUresult.CUDA_ERROR_INVALID_SOURCE,
          CUresult.CUDA_ERROR_FILE_NOT_FOUND,
          CUresult.CUDA_ERROR_SHARED_OBJECT_SYMBOL_NOT_FOUND,
          CUresult.CUDA_ERROR_SHARED_OBJECT_INIT_FAILED,
          CUresult.CUDA_ERROR_OPERATING_SYSTEM,
          CUresult.CUDA_ERROR_INVALID_HANDLE,
          CUresult.CUDA_ERROR_ILLEGAL_STATE,
          CUresult.CUDA_ERROR_NOT_FOUND,
          CUresult.CUDA_ERROR_NOT_READY,
          CUresult.CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES,
          CUresult.CUDA_ERROR_PRIMARY_CONTEXT_ACTIVE,
          CUresult.CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED,
          CUresult.CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED,
          CUresult.CUDA_ERROR_NOT_PERMITTED,
          CUresult.CUDA_ERROR_NOT_SUPPORTED,
          CUresult.CUDA_ERROR_SYSTEM_NOT_READY,
          CUresult.CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
          CUresult.CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE,
          CUresult.CUDA_ERROR_MPS_CONNECTION_FAILED);

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
      SymbolLookup.libraryLookup(LIBRARY, arena);
    } catch (IllegalArgumentException e) {
      return Optional.of(
          "no NVIDIA driver: "
              + LIBRARY
              + " is not on the library path;"
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

  /**
   * Writes a device's own 16 bytes, which for a slice of a GPU are the slice's. JCuda 12.6 has only
   * the call before, which gives a slice those of the whole GPU.
   *
   * @return the driver's code
   */
  static int ownUuid(byte[] out, int ordinal) {
    try (Arena arena = Arena.ofConfined()) {
      SymbolLookup driver = SymbolLookup.libraryLookup(LIBRARY, arena);
      MemorySegment device = arena.allocate(JAVA_INT);
      int result = (int) call(driver, "cuDeviceGet").invokeExact(device, ordinal);
      if (result == CUresult.CUDA_SUCCESS) {
        MemorySegment uuid = arena.allocate(out.length);
        result =
            (int) call(driver, "cuDeviceGetUuid_v2").invokeExact(uuid, device.get(JAVA_INT, 0));
        MemorySegment.copy(uuid, JAVA_BYTE, 0, out, 0, out.length);
      }
      return result;
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("cuDeviceGetUuid_v2", e);
    }
  }

  private static MethodHandle call(SymbolLookup driver, String function) {
    return Linker.nativeLinker()
        .downcallHandle(
            driver.findOrThrow(function), FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT));
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

  /** What is left to do after a code. */
  static DeviceException.Kind kind(int result) {
    return switch (result) {
      case CUresult.CUDA_ERROR_OUT_OF_MEMORY -> DeviceException.Kind.OUT_OF_MEMORY;
      case CUresult.CUDA_ERROR_DEVICE_UNAVAILABLE,
          CUresult.CUDA_ERROR_MPS_SERVER_NOT_READY,
          CUresult.CUDA_ERROR_MPS_MAX_CLIENTS_REACHED,
          CUresult.CUDA_ERROR_MPS_MAX_CONNECTIONS_REACHED ->
          DeviceException.Kind.BUSY;
      default ->
          REFUSALS.contains(result) ? DeviceException.Kind.REFUSED : DeviceException.Kind.FATAL;
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
