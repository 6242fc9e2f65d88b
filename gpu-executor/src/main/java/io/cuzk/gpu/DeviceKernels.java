package io.cuzk.gpu;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/**
 * The kernels of this package on one device; a module is loaded when one of its kernels is first
 * started, or all are before that. Thread-safe; the parameters of a launch are a thread's own.
 */
final class DeviceKernels implements AutoCloseable {
  private static final Pattern ENTRY = Pattern.compile("\\.entry\\s+(\\w+)");

  private final GpuDevice device;
  private final Map<String, DeviceModule> modules = new ConcurrentHashMap<>();
  private final Map<String, DeviceFunction> functions = new ConcurrentHashMap<>();
  private final ThreadLocal<KernelArguments> arguments =
      ThreadLocal.withInitial(KernelArguments::new);
  private boolean loaded;

  DeviceKernels(GpuDevice device) {
    this.device = device;
  }

  GpuDevice device() {
    return device;
  }

  /**
   * Loads all kernels that are not there yet: a driver may compile a module for seconds, and would
   * do it in the middle of what is timed.
   */
  synchronized void load() {
    if (!loaded) {
      for (String module : CubinAssembler.MODULES) {
        ENTRY.matcher(DeviceCode.read(module)).results().forEach(entry -> function(entry.group(1)));
      }
      loaded = true;
    }
  }

  /** The parameters of the next launch, none yet. */
  KernelArguments arguments() {
    return arguments.get().clear();
  }

  /** Starts a kernel by its name in the CUDA sources. */
  void launch(
      String kernel,
      int gridX,
      int gridY,
      int blockX,
      int sharedBytes,
      DeviceStream stream,
      KernelArguments with) {
    device.launch(function(kernel), gridX, gridY, blockX, sharedBytes, stream, with);
  }

  /** Starts a kernel with one thread an element, in blocks of 256. */
  void launch(String kernel, long elements, DeviceStream stream, KernelArguments with) {
    int blocks = Math.toIntExact(Math.ceilDiv(elements, 256));
    launch(kernel, blocks, 1, elements < 256 ? threads(elements) : 256, 0, stream, with);
  }

  /** Whole warps for so many threads. */
  static int threads(long elements) {
    return Math.toIntExact(Math.ceilDiv(elements, 32) * 32);
  }

  private DeviceFunction function(String kernel) {
    return functions.computeIfAbsent(
        kernel, name -> modules.computeIfAbsent(module(name), device::load).function(name));
  }

  private static String module(String kernel) {
    return switch (kernel.substring(0, kernel.indexOf('_'))) {
      case "ntt" -> "ntt";
      case "msm", "scan", "bits" -> "sort";
      case "g1" -> "msm_g1";
      case "g2" -> "msm_g2";
      default -> "field";
    };
  }

  @Override
  public void close() {
    functions.clear();
    modules.values().forEach(DeviceModule::close);
    modules.clear();
  }
}
