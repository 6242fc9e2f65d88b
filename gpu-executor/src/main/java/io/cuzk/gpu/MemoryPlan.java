package io.cuzk.gpu;

import io.cuzk.InfrastructureException;
import io.cuzk.curve.Group;
import io.cuzk.field.Fr;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What of a key and its proofs a device's memory holds, computed before anything is sent: which of
 * the five lists of points stay there, how the largest sums are cut up beside them, and whether the
 * next proof's rows go over while one is computed.
 *
 * @param free bytes of device memory that there are
 * @param needed bytes that a proof takes at least, without any of the key
 * @param queries the five lists, h first
 * @param left bytes beside the lists that stay
 */
record MemoryPlan(long domain, long free, long needed, List<Query> queries, long left) {
  private static final long ALIGNMENT = 512;

  /**
   * A list of a key's points.
   *
   * @param resident whether it stays on the device; else it goes over in chunks at each use
   * @param sum how a sum over all of it is cut up; null if it is empty
   */
  record Query(String name, Group group, long points, boolean resident, MsmPlan sum) {
    long bytes() {
      return points * DevicePoints.pointBytes(group);
    }
  }

  /** A list before it is placed. */
  record Points(String name, Group group, long points) {
    private long bytes() {
      return points * DevicePoints.pointBytes(group);
    }
  }

  /**
   * Places lists in their order as far as they fit.
   *
   * @param name of the key, and {@code device} of the device, for the message
   * @param reserve bytes to leave free for a proof
   * @throws InfrastructureException if there is no room for a proof, with both figures
   */
  static MemoryPlan of(
      String name, String device, long domain, List<Points> lists, long free, long reserve) {
    if (free < reserve) {
      throw new InfrastructureException(
          ("a proof with %s takes at least %d bytes of device memory, %s has %d free; end what else"
                  + " runs there, or use a device with more")
              .formatted(name, reserve, device, free));
    }
    boolean[] resident = new boolean[lists.size()];
    long left = free;
    for (int i = 0; i < resident.length; i++) {
      // An allocation is rounded up.
      long bytes = lists.get(i).bytes() + ALIGNMENT;
      resident[i] = lists.get(i).points() > 0 && bytes <= left - reserve;
      left -= resident[i] ? bytes : 0;
    }
    long vector = Fr.BYTES * domain;
    List<Query> queries = new ArrayList<>();
    for (int i = 0; i < resident.length; i++) {
      Points list = lists.get(i);
      // Beside h's sum stands the vector of its scalars; the others' are few.
      long budget = (left - (i == 0 ? vector : 0)) / 16 * 15;
      MsmPlan sum =
          list.points() == 0
              ? null
              : MsmPlan.of(
                  list.points(),
                  list.group(),
                  resident[i] ? 0 : DevicePoints.pointBytes(list.group()),
                  budget);
      queries.add(new Query(list.name(), list.group(), list.points(), resident[i], sum));
    }
    return new MemoryPlan(domain, free, reserve, List.copyOf(queries), left);
  }

  /**
   * Whether there is room for the next proof's rows beside one whose transforms are made.
   *
   * @param compactBytes of the rows in compact form
   */
  boolean rowsAhead(long compactBytes) {
    long rows = DeviceProof.rowBytes(domain, compactBytes);
    return left - 3L * Fr.BYTES * domain >= rows + comfortBytes(domain);
  }

  /** What the largest sum takes that is not cut up, and a little more. */
  static long comfortBytes(long domain) {
    long whole = MsmPlan.of(domain, Group.G1, 0, Long.MAX_VALUE).bytes(Group.G1, 0);
    return Math.max(DeviceKey.sumsBytes(domain), whole / 15 * 16);
  }

  /** Bytes of the lists that stay on the device. */
  long residentBytes() {
    return queries.stream().filter(Query::resident).mapToLong(Query::bytes).sum();
  }

  /** A line for people; see {@link #rowsAhead}. */
  String describe(long compactBytes) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "free %.1f GiB, a proof takes at least %.1f; resident %.1f GiB of the key",
            gib(free),
            gib(needed),
            gib(residentBytes())));
    for (Query query : queries) {
      text.append("; ").append(query.name());
      text.append(query.resident() ? " resident" : " uploaded at each use");
      if (query.sum() != null) {
        int chunks = Math.toIntExact(Math.ceilDiv(query.points(), query.sum().points()));
        text.append(", windows of ").append(query.sum().c()).append(" bits");
        text.append(chunks == 1 ? ", at once" : ", in " + chunks + " chunks");
      }
    }
    return text.append(
            rowsAhead(compactBytes) ? "; the next rows go ahead" : "; rows wait their turn")
        .toString();
  }

  private static double gib(long bytes) {
    return bytes / (double) (1 << 30);
  }
}
