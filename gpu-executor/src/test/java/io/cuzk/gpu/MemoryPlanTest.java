package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InfrastructureException;
import io.cuzk.curve.Group;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The plan of a 32 GiB sector's partition for cards of common sizes. What is computed is what
 * {@link DeviceKey} places by; the bytes that sums take are those that are allocated.
 */
final class MemoryPlanTest {
  private static final long DOMAIN = 1 << 27;

  /** What a driver and its context take away from a card. */
  private static final long CONTEXT = 600 << 20;

  /**
   * The rows of such a partition in compact form: a byte for each of both sides, and wide ones. The
   * whole assignment takes 445 MB.
   */
  private static final long COMPACT = 445_000_000;

  /** The lengths of the published 32 GiB key, from the counts of the reference's circuit. */
  private static final List<MemoryPlan.Points> LISTS =
      List.of(
          new MemoryPlan.Points("h", Group.G1, DOMAIN - 1),
          new MemoryPlan.Points("l", Group.G1, 130_169_893),
          new MemoryPlan.Points("a", Group.G1, 129_753_292 + 328),
          new MemoryPlan.Points("b_g1", Group.G1, 33_112_282),
          new MemoryPlan.Points("b_g2", Group.G2, 33_112_282));

  private static final long NEEDED = DeviceKey.proofBytes(DOMAIN, COMPACT);

  private static MemoryPlan plan(double gigabytes) {
    long free = (long) (gigabytes * 1e9) - CONTEXT;
    MemoryPlan plan = MemoryPlan.of("32GiB", "a card", DOMAIN, LISTS, free, NEEDED);
    System.out.printf("%3.0f GB: %s%n", gigabytes, plan.describe(COMPACT));
    long vector = 32 * DOMAIN;
    long left = free - plan.residentBytes();
    assertThat(left).as("left beside the key").isGreaterThanOrEqualTo(plan.needed());
    for (MemoryPlan.Query query : plan.queries()) {
      int uploaded = query.resident() ? 0 : DevicePoints.pointBytes(query.group());
      long taken = query.sum().bytes(query.group(), uploaded);
      assertThat(taken + (query.name().equals("h") ? vector : 0))
          .as("the sum over %s with its scalars", query.name())
          .isLessThanOrEqualTo(left);
    }
    return plan;
  }

  private static List<String> resident(MemoryPlan plan) {
    return plan.queries().stream()
        .filter(MemoryPlan.Query::resident)
        .map(MemoryPlan.Query::name)
        .toList();
  }

  private static long chunks(MemoryPlan plan, int query) {
    MemoryPlan.Query of = plan.queries().get(query);
    return Math.ceilDiv(of.points(), of.sum().points());
  }

  @Test
  void aCardOf16GBComputesInChunks() {
    MemoryPlan plan = plan(17.2); // 16 GiB
    assertThat(resident(plan)).containsExactly("b_g1");
    assertThat(chunks(plan, 0)).isGreaterThan(1);
    assertThat(plan.rowsAhead(COMPACT)).isFalse();
  }

  @Test
  void aCardOf24GBToo() {
    MemoryPlan plan = plan(25.7);
    assertThat(plan.rowsAhead(COMPACT)).isFalse();
    assertThat(chunks(plan, 0)).isGreaterThan(1);
  }

  @Test
  void aCardOf80GBHoldsTheKey() {
    MemoryPlan plan = plan(80);
    assertThat(resident(plan)).containsExactly("h", "l", "a", "b_g1", "b_g2");
    assertThat(chunks(plan, 0)).isEqualTo(1);
  }

  @Test
  void aCardOf141GBTakesTheNextRowsAhead() {
    MemoryPlan plan = plan(141);
    assertThat(resident(plan)).hasSize(5);
    assertThat(plan.queries().getFirst().sum().c()).isEqualTo(22);
    assertThat(plan.rowsAhead(COMPACT)).isTrue();
  }

  /** Rows of any size take 37 bytes a side in compact form, which lie beside the vectors. */
  @Test
  void wideRowsAreCounted() {
    long wide = 2 * 37 * DOMAIN;
    assertThat(DeviceKey.proofBytes(DOMAIN, wide)).isGreaterThanOrEqualTo(3 * 32 * DOMAIN + wide);
    MemoryPlan plan = plan(80);
    assertThat(plan.rowsAhead(COMPACT)).isTrue();
    assertThat(plan.rowsAhead(wide)).isFalse();
  }

  @Test
  void aCardOf12GBIsRefusedWithBothFigures() {
    assertThatThrownBy(() -> plan(12))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("at least " + NEEDED + " bytes")
        .hasMessageContaining((12_000_000_000L - CONTEXT) + " free");
  }
}
