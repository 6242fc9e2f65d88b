package io.cuzk.jobs;

import io.cuzk.prover.PartitionOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * One Spark task: which partition of which sector. The task reads its C1 file itself: a batch of
 * 100,000 sectors would otherwise pass terabytes through the driver, and the file system is made
 * for that.
 *
 * @param keyDigest of the parameters that the run began with
 * @param circuitDigest of the circuit that it began with; null where it is not compiled
 * @param keyLayout of the file they were read from: {@code native} or {@code params}
 * @param sequence of the partition in the run
 * @param tries that ended with a bad proof or device
 * @param troubles tries that ended with trouble with a machine
 * @param avoid devices that are suspect for it, as in {@link TaskReport#device}
 */
record PartitionTask(
    String sector,
    int partition,
    SectorScan scan,
    String keyDigest,
    String circuitDigest,
    String keyLayout,
    long sequence,
    int tries,
    int troubles,
    List<String> avoid) {
  /** Where it stands among the partitions of the run. */
  PartitionOrder order() {
    return new PartitionOrder(scan.priority(), scan.deadlineMillis(), sequence);
  }

  /** What its proof is made from. */
  Fingerprint fingerprint() {
    return new Fingerprint(scan.sha256(), keyDigest, circuitDigest);
  }

  /** The same, not on those devices if it can be helped. */
  PartitionTask elsewhere(List<String> suspects) {
    return again(tries, troubles, suspects);
  }

  /** The next try after a bad proof or device. */
  PartitionTask afterFailure(List<String> suspects) {
    return again(tries + 1, troubles, suspects);
  }

  /** The next try after trouble with a machine. */
  PartitionTask afterTrouble(List<String> suspects) {
    return again(tries, troubles + 1, suspects);
  }

  private PartitionTask again(int tried, int troubled, List<String> suspects) {
    return new PartitionTask(
        sector,
        partition,
        scan,
        keyDigest,
        circuitDigest,
        keyLayout,
        sequence,
        tried,
        troubled,
        new ArrayList<>(suspects));
  }
}
