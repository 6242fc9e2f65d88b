package io.cuzk.prover;

import java.util.Comparator;

/**
 * Where a partition stands in a line for memory or for a device: the higher priority first, then
 * the earlier deadline, then what came earlier in the input, so that sectors leave one by one.
 *
 * @param priority 0 where the input names none
 * @param deadlineMillis milliseconds since 1970; {@link #NO_DEADLINE} where the input names none
 * @param sequence of the partition in the run
 */
public record PartitionOrder(int priority, long deadlineMillis, long sequence)
    implements Comparable<PartitionOrder> {
  /** Later than every deadline. */
  public static final long NO_DEADLINE = Long.MAX_VALUE;

  private static final Comparator<PartitionOrder> FIRST =
      Comparator.comparingInt(PartitionOrder::priority)
          .reversed()
          .thenComparingLong(PartitionOrder::deadlineMillis)
          .thenComparingLong(PartitionOrder::sequence);

  /** The place of an input that names neither priority nor deadline. */
  public static PartitionOrder of(long sequence) {
    return new PartitionOrder(0, NO_DEADLINE, sequence);
  }

  @Override
  public int compareTo(PartitionOrder other) {
    return FIRST.compare(this, other);
  }
}
