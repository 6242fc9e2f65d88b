package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClusterHealthTest {
  private long now = 7;
  private final ClusterHealth health = new ClusterHealth(() -> now);

  private void ready(String executor, String host, String... addresses) {
    Map<String, String> devices = new LinkedHashMap<>();
    for (String address : addresses) {
      devices.put(Places.of(host, address, executor), "");
    }
    health.ready(new ClusterHealth.Ready(executor, host, "cuda", devices));
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
    pass(ClusterHealth.PATIENCE.minusNanos(1));
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
    pass(ClusterHealth.PATIENCE);
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
    pass(ClusterHealth.PATIENCE);
    assertThat(health.isNoneLeft()).as("the cluster has no room now").isFalse();
    ready("1", "a", "0");
    health.lost("1", "a/gpu-0", "lost");
    assertThat(health.isNoneLeft()).isFalse();
    pass(ClusterHealth.PATIENCE);
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
    assertThat(health.usableWithout(java.util.Set.of("gpu-MIG-bb"))).isEmpty();
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
}
