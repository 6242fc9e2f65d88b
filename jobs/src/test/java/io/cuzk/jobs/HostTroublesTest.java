package io.cuzk.jobs;

import static io.cuzk.jobs.HostTroubles.Verdict.GIVE_BACK;
import static io.cuzk.jobs.HostTroubles.Verdict.GO_ON;
import static io.cuzk.jobs.HostTroubles.Verdict.REPLACE;
import static io.cuzk.jobs.HostTroubles.Verdict.STOP;
import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.prover.DevicePool;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class HostTroublesTest {
  private final HostTroubles hosts = new HostTroubles(false);

  private static List<ClusterHealth.Ready> executors(String... ids) {
    return Stream.of(ids)
        .map(id -> new ClusterHealth.Ready(id, "host", "cpu", Map.of(device(id), "")))
        .toList();
  }

  /** Executors 0, 2, 4 have one GPU after the other, as have 1, 3, 5. */
  private static String device(String executor) {
    return "host/gpu-" + Integer.parseInt(executor) % 2;
  }

  private static TaskReport trouble(String executor, String sector, int partition) {
    return trouble(executor, sector, partition, device(executor));
  }

  private static TaskReport trouble(String executor, String sector, int partition, String device) {
    return new TaskReport(
        sector,
        partition,
        false,
        PartitionEntry.INFRASTRUCTURE,
        "its disk is broken",
        device,
        executor,
        false);
  }

  private static TaskReport proof(String executor, String sector) {
    return new TaskReport(sector, 0, true, null, null, device(executor), executor, false);
  }

  @Test
  void anExecutorThatFailsTwoSectorsInARowIsReplacedAndThenGivenBack() {
    var both = executors("0", "1");
    assertThat(hosts.failed(trouble("0", "a", 0), both)).isEqualTo(GO_ON);
    assertThat(hosts.failed(trouble("0", "b", 0), both)).isEqualTo(REPLACE);
    // what it had at work meanwhile
    assertThat(hosts.failed(trouble("0", "c", 0), both)).isEqualTo(GO_ON);
    hosts.proved(proof("1", "z"));
    var then = executors("2", "1");
    assertThat(hosts.failed(trouble("2", "a", 0), then)).isEqualTo(GO_ON);
    assertThat(hosts.failed(trouble("2", "b", 0), then)).isEqualTo(GIVE_BACK);
  }

  @Test
  void aHostWithoutDevicesOfItsOwnIsKnownByItsName() {
    var both = executors("0", "1");
    hosts.failed(trouble("0", "a", 0, "host/executor-0"), both);
    assertThat(hosts.failed(trouble("0", "b", 0, "host/executor-0"), both)).isEqualTo(REPLACE);
    hosts.failed(trouble("12", "a", 0, "host/executor-12"), both);
    assertThat(hosts.failed(trouble("12", "b", 0, "host/executor-12"), both)).isEqualTo(GIVE_BACK);
    hosts.failed(trouble("3", "c", 0, "other/executor-3"), both);
    assertThat(hosts.failed(trouble("3", "d", 0, "other/executor-3"), both)).isEqualTo(REPLACE);
  }

  @Test
  void aProofBetweenTwoTroublesClearsAnExecutor() {
    var both = executors("0", "1");
    hosts.failed(trouble("0", "a", 0), both);
    hosts.proved(proof("0", "z"));
    assertThat(hosts.failed(trouble("0", "b", 0), both)).isEqualTo(GO_ON);
    hosts.proved(proof("1", "z"));
    assertThat(hosts.failed(trouble("0", "c", 0), both)).isEqualTo(REPLACE);
  }

  @Test
  void aSectorThatFailsEverywhereIsNoExecutorsFault() {
    var both = executors("0", "1");
    for (int partition = 0; partition < 10; partition++) {
      assertThat(hosts.failed(trouble("0", "a", partition), both)).isEqualTo(GO_ON);
    }
    for (int partition = 0; partition < 10; partition++) {
      assertThat(hosts.failed(trouble("1", "a", partition), both)).isEqualTo(GO_ON);
    }
  }

  @Test
  void partitionsCountWhereThereIsOneSector() {
    HostTroubles one = new HostTroubles(true);
    var both = executors("0", "1");
    assertThat(one.failed(trouble("0", "a", 0), both)).isEqualTo(GO_ON);
    assertThat(one.failed(trouble("0", "a", 0), both)).isEqualTo(GO_ON);
    assertThat(one.failed(trouble("0", "a", 1), both)).isEqualTo(REPLACE);
  }

  @Test
  void whatFailsEverywhereEndsTheRun() {
    var both = executors("0", "1");
    assertThat(hosts.failed(trouble("0", "a", 0), both)).isEqualTo(GO_ON);
    assertThat(hosts.failed(trouble("1", "b", 0), both)).isEqualTo(GO_ON);
    assertThat(hosts.failed(trouble("0", "c", 0), both)).isEqualTo(GO_ON);
    assertThat(hosts.failed(trouble("1", "d", 0), both)).isEqualTo(GO_ON);
    assertThat(hosts.failed(trouble("1", "a", 0), both)).isEqualTo(GO_ON);
    assertThat(hosts.failed(trouble("0", "e", 0), both)).isEqualTo(STOP);
  }

  @Test
  void aProofAnywhereShowsThatNotEverythingFails() {
    var one = executors("0");
    for (String sector : List.of("a", "b", "c", "d")) {
      assertThat(hosts.failed(trouble("0", sector, 0), one)).isEqualTo(GO_ON);
    }
    hosts.proved(proof("0", "z"));
    for (String sector : List.of("e", "f", "g", "h")) {
      assertThat(hosts.failed(trouble("0", sector, 0), one)).isEqualTo(GO_ON);
    }
    assertThat(hosts.failed(trouble("0", "i", 0), one)).isEqualTo(STOP);
  }

  /** Executor 2 is in a proof all the while, and says nothing of the sectors. */
  @Test
  void sectorsThatSeveralExecutorsFailAreNoneOfThemsFault() {
    var three = executors("0", "1", "2");
    HostTroubles each = new HostTroubles(false);
    assertThat(each.failed(trouble("0", "a", 0, "host/gpu-0"), three)).isEqualTo(GO_ON);
    assertThat(each.failed(trouble("1", "a", 0, "host/gpu-1"), three)).isEqualTo(GO_ON);
    assertThat(each.failed(trouble("1", "b", 0, "host/gpu-1"), three)).isEqualTo(GO_ON);
    assertThat(each.failed(trouble("0", "b", 0, "host/gpu-0"), three)).isEqualTo(GO_ON);
    assertThat(each.failed(trouble("0", "c", 0, "host/gpu-0"), three)).isEqualTo(GO_ON);
    // nobody else had c, and a was proved: both executors are at fault for a
    each.proved(new TaskReport("a", 0, true, null, null, "host/gpu-2", "2", false));
    assertThat(each.failed(trouble("0", "c", 0, "host/gpu-0"), three)).isEqualTo(REPLACE);
  }

  @Test
  void anExecutorWithSeveralDevicesIsAtFaultAsOne() {
    var both = executors("0", "1");
    assertThat(hosts.failed(trouble("0", "a", 0, "host/gpu-0"), both)).isEqualTo(GO_ON);
    assertThat(hosts.failed(trouble("0", "a", 1, "host/gpu-2"), both)).isEqualTo(GO_ON);
    assertThat(hosts.failed(trouble("0", "b", 0, "host/gpu-4"), both)).isEqualTo(REPLACE);
    assertThat(hosts.failed(trouble("2", "a", 1, "host/gpu-4"), both)).isEqualTo(GO_ON);
    assertThat(hosts.failed(trouble("2", "b", 1, "host/gpu-0"), both)).isEqualTo(GIVE_BACK);
  }

  /** Two broken hosts beside one in a long proof do not clear each other for ever. */
  @Test
  void fiveSectorsInARowAreNotAllAtFault() {
    var three = executors("0", "1", "2");
    assertThat(hosts.failed(trouble("0", "a", 0), three)).isEqualTo(GO_ON);
    for (String sector : List.of("a", "b", "c", "d")) {
      assertThat(hosts.failed(trouble("1", sector, 0), three))
          .isEqualTo(sector.equals("c") ? REPLACE : GO_ON); // b and c are its own
    }
    for (String sector : List.of("b", "c", "d")) {
      assertThat(hosts.failed(trouble("0", sector, 0), three)).isEqualTo(GO_ON);
    }
    assertThat(hosts.failed(trouble("1", "e", 0), three)).as("it is replaced").isEqualTo(GO_ON);
    assertThat(hosts.failed(trouble("0", "e", 0), three)).isEqualTo(REPLACE);
  }

  @Test
  void aSuccessorThatProvedForLongIsReplacedToo() {
    var both = executors("0", "1");
    hosts.failed(trouble("0", "a", 0), both);
    assertThat(hosts.failed(trouble("0", "b", 0), both)).isEqualTo(REPLACE);
    hosts.proved(proof("1", "a"));
    hosts.proved(proof("1", "b"));
    for (int i = 0; i < DevicePool.GOOD_PROOFS_FORGIVE; i++) {
      hosts.proved(proof("2", "s" + i));
    }
    var then = executors("2", "1");
    hosts.failed(trouble("2", "c", 0), then);
    assertThat(hosts.failed(trouble("2", "d", 0), then)).isEqualTo(REPLACE);
    hosts.proved(proof("1", "c"));
    hosts.proved(proof("1", "d"));
    for (int i = 1; i < DevicePool.GOOD_PROOFS_FORGIVE; i++) {
      hosts.proved(proof("4", "t" + i));
    }
    var last = executors("4", "1");
    hosts.failed(trouble("4", "e", 0), last);
    assertThat(hosts.failed(trouble("4", "f", 0), last)).isEqualTo(GIVE_BACK);
  }
}
