package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InfrastructureException;
import io.cuzk.prover.ProverBackendProvider;
import io.cuzk.prover.ProverBackends;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CudaBackendProviderTest {
  @Test
  void itIsFoundAndPreferredToTheCpu() {
    List<String> names =
        ProverBackends.providers().stream().map(ProverBackendProvider::name).toList();
    assertThat(names).containsExactly("cuda", "cpu", "sim");
  }

  /** By its name only, and nothing of real size. */
  @Test
  void theSimulatorIsTakenOnlyWhenItIsNamed() {
    ProverBackendProvider simulator = ProverBackends.choose("sim");
    assertThat(simulator.automatic()).isFalse();
    assertThat(ProverBackends.choose("auto").name()).isNotEqualTo("sim");
    ProverBackends.requireInReach(simulator, "the self-test", 1024);
    assertThatThrownBy(() -> ProverBackends.requireInReach(simulator, "2KiB", 1 << 20))
        .isInstanceOf(InfrastructureException.class)
        .hasMessage(
            "backend sim proves circuits of up to 4096 rows, 2KiB has a domain of 1048576: choose"
                + " another --backend");
  }

  @Test
  void withoutADriverTheReasonAndTheRemedyAreGiven() {
    Assumptions.assumeTrue(
        Devices.unavailable().filter(why -> why.contains("libcuda.so.1")).isPresent(),
        "this machine has a driver");
    assertThatThrownBy(() -> ProverBackends.choose("cuda"))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("backend cuda cannot run: cuda: no NVIDIA driver")
        .hasMessageContaining("install NVIDIA's driver, 525 or newer, or choose --backend cpu");
    assertThatThrownBy(() -> new CudaBackendProvider().devices())
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("no NVIDIA driver");
    assertThat(ProverBackends.choose("auto").name()).isEqualTo("cpu");
  }

  @Test
  void everyDeviceIsDescribed(@TempDir Path directory) throws Exception {
    FakeDriver driver = FakeDriver.build(directory);
    String output = driver.run("devices", Map.of("FAKE_NVML_NO_ECC", "1")).output();
    assertThat(output)
        .contains(
            "chosen: cuda",
            "Fake GPU 0, GPU-10111213-1415-1617-1819-1a1b1c1d1e1f: 67108864 {uuid=",
            "pci_bus_id=0000:41:00.0, architecture=sm_90, code=PTX, which the driver compiles for"
                + " sm_90, multiprocessors=66, driver=580.00.01,"
                + " used_bytes=25769803776, clock_mhz=1980, memory_clock_mhz=3201, celsius=51,"
                + " milliwatts=412345}",
            "Fake GPU 1",
            "nvml=does not know this device}");
    assertThat(driver.run("backend", Map.of()).output())
        .as("what a record of a proof gets")
        .contains("opened Fake GPU 0, GPU-10111213-1415-1617-1819-1a1b1c1d1e1f {uuid=")
        .contains("code=PTX, which the driver compiles for sm_90, multiprocessors=66")
        .contains("driver=580.00.01, used_bytes=25769803776, clock_mhz=1980")
        .contains("celsius=51, milliwatts=412345, uncorrected_errors=3}");
    assertThat(driver.run("devices", Map.of("FAKE_NVML_DOWN", "1")).output())
        .contains("nvml=libnvidia-ml.so.1: nvmlInit: Driver Not Loaded (9)}");
  }
}
