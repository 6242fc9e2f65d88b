package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.gpu.simulator.SimulatedDevice;
import io.cuzk.prover.DeviceMeter;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a meter counts as a device's work. The rates of a simulator are nobody's. */
final class CudaMeterTest {
  @Test
  void nothingIsLoadedAndNoKernelRunsTheFirstTimeBetweenTwoEvents() {
    List<String> calls = new ArrayList<>();
    PlantedDevice planted =
        PlantedDevice.before(SimulatedDevice.fast(64))
            .logging(calls::add)
            .telling(calls::add, () -> {});
    try (DeviceMeter meter = CudaMeter.on(planted.device())) {
      DeviceMeter.Rates rates = meter.rates();
      assertThat(rates.frMulPerSecond()).isPositive();
      assertThat(rates.fpMulPerSecond()).isPositive();
    }
    calls.removeIf(call -> !call.matches("load|record|f[rp]_mul_chain"));
    assertThat(calls.lastIndexOf("load")).isLessThan(calls.indexOf("fr_mul_chain"));
    for (String kernel : List.of("fr_mul_chain", "fp_mul_chain")) {
      List<String> from = calls.subList(calls.indexOf(kernel), calls.size());
      // What is timed has a record on either side; behind the first run only the next one's begins.
      assertThat(from.subList(0, 4)).containsExactly(kernel, "record", kernel, "record");
      assertThat(from.stream().filter(kernel::equals).count())
          .as("grids and lengths of %s", kernel)
          .isGreaterThanOrEqualTo(8);
    }
  }
}
