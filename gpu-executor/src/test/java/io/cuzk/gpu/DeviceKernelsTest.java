package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is loaded, and when. */
final class DeviceKernelsTest {
  private final List<String> modules = new ArrayList<>();
  private final List<String> functions = new ArrayList<>();

  private record Kernel(String name) implements DeviceFunction {
    @Override
    public void allowSharedBytes(int bytes) {}
  }

  private DeviceModule module(String name) {
    modules.add(name);
    return new DeviceModule() {
      @Override
      public DeviceFunction function(String kernel) {
        functions.add(kernel);
        return new Kernel(kernel);
      }

      @Override
      public void close() {}
    };
  }

  /** A device that loads and starts, and does nothing. */
  private GpuDevice device() {
    return (GpuDevice)
        Proxy.newProxyInstance(
            GpuDevice.class.getClassLoader(),
            new Class<?>[] {GpuDevice.class},
            (proxy, method, arguments) ->
                method.getName().equals("load") ? module((String) arguments[0]) : null);
  }

  @Test
  void loadingTakesEveryKernelOnceAndLaunchesNone() throws Exception {
    List<String> recorded =
        Files.readAllLines(KernelsLockTest.LOCK).stream()
            .filter(line -> line.startsWith("kernel "))
            .map(line -> line.split(" ")[1])
            .toList();
    try (DeviceKernels kernels = new DeviceKernels(device())) {
      kernels.load();
      assertThat(functions).hasSizeGreaterThan(30).containsExactlyInAnyOrderElementsOf(recorded);
      assertThat(modules).containsExactlyInAnyOrder("field", "ntt", "sort", "msm_g1", "msm_g2");
      kernels.load();
      kernels.launch("g2_reduce", 1, 1, 64, 0, null, kernels.arguments());
      assertThat(functions).hasSameSizeAs(recorded);
      assertThat(modules).hasSize(5);
    }
  }
}
