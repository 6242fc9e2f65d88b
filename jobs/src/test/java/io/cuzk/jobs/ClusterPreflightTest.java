package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterPreflightTest {
  private final Map<String, Preflight> found = new LinkedHashMap<>();

  private void good(String executor, String digest) {
    found.put(
        executor,
        new Preflight(
            "host" + executor,
            executor,
            0,
            "cpu",
            "cpu",
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
    return ClusterPreflight.judge(found, Map.of());
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
    assertThatThrownBy(() -> ClusterPreflight.judge(found, Map.of("0", "its clock differs")))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("its clock differs");
  }
}
