package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.prover.DevicePool;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterHealthTest {
  private long now = 7;
  private final ClusterHealth health = new ClusterHealth(() -> now);

  private boolean ready(String executor, String host, String... addresses) {
    Map<String, String> devices = new LinkedHashMap<>();
    for (String address : addresses) {
      devices.put(Places.of(host, address, executor), "");
    }
    return health.ready(new ClusterHealth.Ready(executor, host, "cuda", devices));
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  private void exclude(String device) {
    health.failed(device, "wrong");
    health.failed(device, "wrong again");
    for (ClusterHealth.Ready each : health.executors()) {
      if (each.devices().containsKey(device)) {
        health.exhausted(each.executorId(), device, "wrong again");
      }
    }
  }

  @Test
  void anExecutorThatNeverComesIsNotAwaitedForEver() {
    ready("0", "a", "0");
    ready("1", "b", "0");
    assertThat(health.lost("0", "a/gpu-0", "lost")).isEqualTo(ClusterHealth.Loss.REPLACE);
    exclude("b/gpu-0");
    assertThat(health.isNoneLeft()).isFalse();
    pass(AwaitedExecutors.PATIENCE.minusNanos(1));
    assertThat(health.isNoneLeft()).isFalse();
    pass(Duration.ofNanos(1));
    assertThat(health.isNoneLeft()).isTrue();
    ready("2", "c", "0");
    assertThat(health.isNoneLeft()).isFalse();
  }

  @Test
  void anotherExecutorIsNotTheOneThatIsAwaited() {
    health.beginRun(1);
    ready("0", "a", "0");
    health.beginRun(1); // of two that were asked for
    health.lost("0", "a/gpu-0", "lost");
    pass(Duration.ofMinutes(1));
    ready("1", "b", "0");
    exclude("b/gpu-0");
    pass(Duration.ofMinutes(3));
    assertThat(health.isNoneLeft()).as("one for executor 0 may come").isFalse();
    ready("2", "a", "0");
    assertThat(health.isNoneLeft()).isFalse();
    exclude("a/gpu-0");
    assertThat(health.isNoneLeft()).as("both have come, and nobody else is to").isTrue();
  }

  @Test
  void theFirstExecutorsOfABusyClusterAreAwaitedToo() {
    ready("0", "a", "0");
    health.beginRun(3);
    exclude("a/gpu-0");
    assertThat(health.isNoneLeft()).isFalse();
    pass(AwaitedExecutors.PATIENCE);
    assertThat(health.isNoneLeft()).isTrue();
  }

  @Test
  void whatWasAwaitedInARunIsNotInTheNext() {
    ready("0", "a", "0");
    ready("1", "b", "0");
    health.lost("0", "a/gpu-0", "lost");
    health.beginRun(0);
    exclude("b/gpu-0");
    assertThat(health.isNoneLeft()).isTrue();
  }

  @Test
  void withoutAnyExecutorOnlyAReplacementThatNeverCameEndsARun() {
    ready("0", "a", "0");
    health.gone("0");
    pass(AwaitedExecutors.PATIENCE);
    assertThat(health.isNoneLeft()).as("the cluster has no room now").isFalse();
    ready("1", "a", "0");
    health.lost("1", "a/gpu-0", "lost");
    assertThat(health.isNoneLeft()).isFalse();
    pass(AwaitedExecutors.PATIENCE);
    assertThat(health.isNoneLeft()).isTrue();
  }

  @Test
  void whatSparkLostItReplacesAndWhatWasGivenBackItDoesNot() {
    ready("0", "a", "0");
    ready("1", "b", "0");
    health.gone("0");
    exclude("b/gpu-0");
    assertThat(health.isNoneLeft()).isFalse();
    health.beginRun(0);
    ready("2", "a", "0");
    health.givenBack("2");
    health.gone("2"); // as Spark tells then
    assertThat(health.isNoneLeft()).isTrue();
  }

  /** On Kubernetes the host is the pod, another one for each executor. */
  @Test
  void aDeviceThatIsBadInOnePodIsTheSameInTheNext() {
    ready("1", "pod-1", "GPU-aa");
    ready("2", "pod-2", "MIG-bb");
    assertThat(health.lost("1", "gpu-GPU-aa", "lost")).isEqualTo(ClusterHealth.Loss.REPLACE);
    assertThat(health.toJson().getFirst()).containsEntry("device", "pod-1/gpu-GPU-aa");
    ready("3", "pod-3", "GPU-aa");
    assertThat(health.lost("3", "gpu-GPU-aa", "lost")).isEqualTo(ClusterHealth.Loss.EXCLUDED);
    assertThat(health.reasons()).startsWith("pod-3/gpu-GPU-aa: it failed 2 times");
    ready("4", "pod-4", "GPU-aa");
    assertThat(health.usable()).extracting(ClusterHealth.Ready::executorId).containsExactly("2");
    assertThat(health.usableWithout(Set.of("gpu-MIG-bb"))).isEmpty();
  }

  @Test
  void anAddressThatOtherHostsHaveTooIsNamedWithItsHost() {
    assertThat(
            List.of(
                Places.of("h", "0", "7"),
                Places.of("h", "0000:65:00.0", "7"),
                Places.of("h", null, "7"),
                Places.of("h", "GPU-1b", "7")))
        .containsExactly("h/gpu-0", "h/gpu-0000:65:00.0", "h/executor-7", "gpu-GPU-1b");
    ready("0", "h", "0");
    assertThat(health.shown("h/gpu-0")).isEqualTo("h/gpu-0");
  }

  @Test
  void aDeviceThatIsExcludedIsSoInEveryProcessThatHasIt() {
    ready("0", "a", "0");
    health.failed("a/gpu-0", "wrong");
    health.gone("0");
    ready("1", "a", "0", "1"); // its own count begins anew
    health.failed("a/gpu-0", "wrong again");
    assertThat(health.usable()).hasSize(1);
    assertThat(health.usableWithout(Set.of("a/gpu-1"))).isEmpty();
    health.failed("a/gpu-1", "wrong");
    health.failed("a/gpu-1", "wrong again");
    assertThat(health.usable()).isEmpty();
  }

  /** A cluster puts the next executor where it has room: where one was given back. */
  @Test
  void anExecutorOnAnExcludedDeviceIsNotTheOneThatIsAwaited() {
    ready("0", "a", "0");
    ready("1", "a", "1");
    exclude("a/gpu-0");
    health.givenBack("0");
    health.gone("1");
    assertThat(ready("2", "a", "0")).as("one more is to be asked for").isFalse();
    assertThat(health.isNoneLeft()).isFalse();
    assertThat(ready("3", "a", "1")).isTrue();
    health.givenBack("2");
    exclude("a/gpu-1");
    assertThat(health.isNoneLeft()).isTrue();
    health.givenBack("3");
    assertThat(ready("4", "a", "1")).as("nobody is awaited").isTrue();
  }

  @Test
  void itHoldsItsPlaceUntilTheOtherHasComeOrIsAwaitedNoMore() {
    ready("0", "a", "0");
    ready("1", "b", "0");
    ready("2", "c", "0");
    health.beginRun(1); // one never came
    exclude("a/gpu-0");
    health.givenBack("0");
    health.gone("1");
    assertThat(ready("3", "a", "0")).isFalse();
    assertThat(health.excludedOf("3")).containsOnlyKeys("a/gpu-0");
    assertThat(health.useless()).isEmpty();
    pass(AwaitedExecutors.PATIENCE);
    assertThat(health.useless()).containsExactly("3");
    health.givenBack("3");
    assertThat(ready("4", "a", "0")).as("whose time is over").isTrue();
    assertThat(health.useless()).containsExactly("4");
  }

  /** The report of the task that lost it may come after those of tasks that found it so. */
  @Test
  void aLossCountsOnceThoughTheProcessIsBeingReplaced() {
    ready("0", "a", "0");
    ready("1", "b", "0");
    health.replacing("0");
    assertThat(health.lost("0", "a/gpu-0", "lost")).isEqualTo(ClusterHealth.Loss.KNOWN);
    assertThat(health.lost("0", "a/gpu-0", "lost")).isEqualTo(ClusterHealth.Loss.KNOWN);
    ready("2", "a", "0");
    assertThat(health.usable()).hasSize(2);
    assertThat(health.lost("2", "a/gpu-0", "lost")).isEqualTo(ClusterHealth.Loss.EXCLUDED);
  }

  @Test
  void aPlaceWithoutAddressIsFilledByWhoComesToItsHost() {
    ready("0", "a", (String) null);
    ready("1", "b", (String) null);
    health.lost("0", "a/executor-0", "hangs");
    health.ready(
        new ClusterHealth.Ready("2", "a", "cuda", Map.of("a/executor-2", "does not start")));
    assertThat(health.thereOrToCome()).as("nobody else is to come").isEqualTo(2);
    assertThat(health.useless()).containsExactly("2");
  }

  @Test
  void theDeviceThatWasAwaitedMayComeBackBad() {
    ready("0", "a", "0");
    assertThat(health.lost("0", "a/gpu-0", "lost")).isEqualTo(ClusterHealth.Loss.REPLACE);
    health.failed("a/gpu-0", "lost again");
    assertThat(ready("1", "a", "0")).isTrue();
    assertThat(health.isNoneLeft()).isTrue();
  }

  @Test
  void aFailureIsForgottenAfterManyGoodProofs() {
    ready("0", "a", "0");
    health.failed("a/gpu-0", "wrong");
    for (int i = 1; i < DevicePool.GOOD_PROOFS_FORGIVE; i++) {
      health.proved("a/gpu-0");
    }
    health.proved("a/gpu-1"); // says nothing of the other
    assertThat(health.toJson()).hasSize(1);
    health.proved("a/gpu-0");
    assertThat(health.toJson()).isEmpty();
    health.failed("a/gpu-0", "wrong");
    for (int i = 1; i < DevicePool.GOOD_PROOFS_FORGIVE; i++) {
      health.proved("a/gpu-0");
    }
    health.failed("a/gpu-0", "wrong");
    assertThat(health.usable()).as("one short of it").isEmpty();
  }

  @Test
  void aPlaceWhoseProcessesLoseTheirDeviceIsNotFilledForEver() {
    ready("0", "a", (String) null);
    ready("1", "b", (String) null);
    assertThat(health.lost("0", "a/executor-0", "hangs")).isEqualTo(ClusterHealth.Loss.REPLACE);
    ready("2", "a", (String) null);
    assertThat(health.lost("2", "a/executor-2", "hangs")).isEqualTo(ClusterHealth.Loss.EXCLUDED);
    assertThat(health.usable()).extracting(ClusterHealth.Ready::executorId).containsExactly("1");
  }

  @Test
  void thoseThatAreAwaitedCountAmongThoseThatThereAreToBe() {
    ready("0", "a", "0");
    ready("1", "b", "0");
    health.lost("0", "a/gpu-0", "lost");
    assertThat(health.thereOrToCome()).isEqualTo(2);
    health.givenBack("1");
    assertThat(health.thereOrToCome()).isEqualTo(1);
    pass(AwaitedExecutors.PATIENCE);
    assertThat(health.thereOrToCome()).isZero();
  }
}
