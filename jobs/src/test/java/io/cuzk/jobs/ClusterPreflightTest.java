package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterPreflightTest {
  private static final String H200 = "NVIDIA H200, GPU-5a6b7c8d-0123-4567-89ab-cdef01234567";

  private final Map<String, Preflight> found = new LinkedHashMap<>();

  private void good(String executor, String digest) {
    good("host" + executor, executor, "cpu", "cpu", digest);
  }

  private void good(String host, String executor, String backend, String device, String digest) {
    found.put(
        executor,
        new Preflight(
            host,
            executor,
            0,
            backend,
            device,
            "as asked",
            new ArrayList<>(
                List.of(
                    new Preflight.KeyFound(
                        "2KiB", "k", "/p/k.params", "params", 1, digest, null, "v"))),
            null,
            null));
  }

  private void bad(String executor, String kind, String reason) {
    found.put(executor, Preflight.failed("host" + executor, executor, kind, reason));
  }

  private Preflight judge() {
    return ClusterPreflight.judge(found, Map.of(), Set.of());
  }

  @Test
  void whatIsTheSameEverywhereIsGood() {
    good("0", "aa");
    good("1", "aa");
    assertThat(judge().executorId()).isEqualTo("0");
  }

  @Test
  void allFaultsOfAllHostsAreSaidTogether() {
    good("0", "aa");
    bad("1", PartitionEntry.INFRASTRUCTURE, "no device");
    bad("2", PartitionEntry.INPUT, "parameters missing in /p");
    assertThatThrownBy(this::judge)
        .isInstanceOf(InfrastructureException.class)
        .hasMessage("host1 (executor 1): no device; host2 (executor 2): parameters missing in /p");
  }

  @Test
  void oneGoodDeviceIsEnoughAndNoneIsAFault() {
    bad("0", PartitionEntry.DEVICE, "device 0 does not start");
    bad("1", PartitionEntry.DEVICE, "device 1 is busy");
    assertThatThrownBy(this::judge)
        .isInstanceOf(InfrastructureException.class)
        .hasMessage(
            "host0 (executor 0): device 0 does not start; host1 (executor 1): device 1 is busy");
    good("2", "aa");
    assertThat(judge().executorId()).isEqualTo("2");
  }

  @Test
  void badParametersOnEveryHostAreBadInput() {
    bad("1", PartitionEntry.INPUT, "parameters missing in /p");
    assertThatThrownBy(this::judge)
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("parameters missing in /p");
  }

  @Test
  void anotherKeyOnOneHostIsFound() {
    good("0", "aa");
    good("1", "bb");
    assertThatThrownBy(this::judge)
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("host1 (executor 1): /p/k.params has digest bb")
        .hasMessageContaining("than that on host0");
  }

  @Test
  void aClockThatIsOffIsAFault() {
    good("0", "aa");
    assertThatThrownBy(
            () -> ClusterPreflight.judge(found, Map.of("0", "its clock differs"), Set.of()))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("its clock differs");
  }

  @Test
  void backendsThatDifferAreAFaultThatNamesBothHosts() {
    good("host0", "0", "cuda", H200, "aa");
    good("host1", "1", "cpu", "cpu", "aa");
    assertThatThrownBy(this::judge)
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("host1 (executor 1): it would prove by backend cpu")
        .hasMessageContaining("executor 0 on host0 by cuda: name one for all with --backend");
    bad("1", PartitionEntry.DEVICE, "no device here"); // that one alone is left out
    assertThat(judge().backend()).isEqualTo("cuda");
  }

  @Test
  void aDeviceThatTwoExecutorsOfAHostWouldUseIsAFault() {
    good("host", "0", "cuda", H200, "aa");
    good("host", "1", "cuda", H200.replace("GPU-5", "GPU-6"), "aa");
    assertThat(judge().executorId()).isEqualTo("0");
    good("host", "2", "cuda", H200, "aa");
    assertThatThrownBy(this::judge)
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("executors 0 and 2 on host have the same device (" + H200 + ")")
        .hasMessageContaining("spark.executor.resource.gpu.amount")
        .hasMessageContaining("discovery script");
    // it was lost, and the other took its place
    assertThat(ClusterPreflight.judge(found, Map.of(), Set.of("0")).backend()).isEqualTo("cuda");
  }

  @Test
  void aNameThatManyDevicesHaveSaysNothing() {
    good("host", "0", "faulty", "faulty device 0", "aa");
    good("host", "1", "faulty", "faulty device 0", "aa");
    assertThat(judge().executorId()).isEqualTo("0");
    found.clear();
    good("host", "0", "sim", "PTX simulator, GPU-simulated", "aa");
    good("host", "1", "sim", "PTX simulator, GPU-simulated", "aa");
    assertThat(judge().executorId()).isEqualTo("0");
    found.clear();
    good("0", "aa");
    good("1", "aa");
    assertThat(judge().executorId()).isEqualTo("0");
  }
}
