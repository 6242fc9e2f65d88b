package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.DeviceException;
import io.cuzk.InfrastructureException;
import io.cuzk.curve.FlatPoints;
import io.cuzk.curve.Group;
import io.cuzk.field.CoefficientOrder;
import io.cuzk.field.Fr;
import io.cuzk.msm.BitSum;
import io.cuzk.msm.Pippenger;
import io.cuzk.msm.Scalars;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.HostPinning;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.math.BigInteger;
import java.util.Arrays;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Sums of points against core's, which are tested against naive sums, golden vectors and blst. */
abstract class MsmContract extends DeviceContract {
  private static final Workers WORKERS = Workers.single();

  private DeviceStream side;
  private Staging staging;

  @BeforeAll
  void openStaging() {
    side = device.stream();
    staging = new Staging(device, side, WORKERS, HostPinning.RING);
  }

  @AfterAll
  void closeStaging() {
    if (staging != null) {
      staging.close();
      side.close();
    }
  }

  /** Multiples of the generator, with infinity, equal and opposite points among them. */
  private static long[] points(Group group, int n) {
    int words = group.affineWords();
    long[] jacobian = new long[group.jacobianWords()];
    long[] generator = new long[words];
    long[] points = new long[n * words];
    group.generator(generator, 0);
    for (int i = 0; i < n; i++) {
      group.addMixed(jacobian, 0, jacobian, 0, generator, 0);
      group.toAffine(points, i * words, jacobian, 0);
    }
    for (int i = 0; i + 8 < n; i += 8) {
      int at = i * words;
      switch (i / 8 % 4) {
        case 0 -> group.setAffineInfinity(points, at);
        case 1 -> System.arraycopy(points, at + words, points, at, words);
        case 2 -> {
          System.arraycopy(points, at + words, points, at, words);
          group.field().neg(points, at + words / 2, points, at + words / 2);
        }
        default -> {}
      }
    }
    return points;
  }

  /**
   * Montgomery form: random ones and edges, some of them equal, so that buckets meet points twice.
   */
  private static long[] scalars(int n) {
    BigInteger r = Fr.MODULUS;
    BigInteger half = r.shiftRight(1);
    BigInteger[] edges = {
      BigInteger.ZERO,
      BigInteger.ONE,
      r.subtract(BigInteger.ONE),
      half,
      half.add(BigInteger.ONE),
      half.shiftRight(1),
      BigInteger.ONE.shiftLeft(254),
      BigInteger.valueOf(32),
      BigInteger.valueOf(-32).mod(r),
    };
    long[] scalars = new long[n * Fr.WORDS];
    BigInteger last = BigInteger.TWO;
    for (int i = 0; i < n; i++) {
      BigInteger s = i % 4 == 3 ? edges[i / 4 % edges.length] : i % 8 == 1 ? last : below(r);
      last = s;
      Fr.fromBigInteger(scalars, i * Fr.WORDS, s);
    }
    return scalars;
  }

  private static long[] canonical(long[] montgomery) {
    long[] out = new long[montgomery.length];
    for (int i = 0; i < out.length; i += Fr.WORDS) {
      Fr.toCanonical(out, i, montgomery, i);
    }
    return out;
  }

  private static long[] affine(Group group, long[] jacobian) {
    long[] out = new long[group.affineWords()];
    group.toAffine(out, 0, jacobian, 0);
    return out;
  }

  private void requireSum(Group group, int n, MsmPlan plan, boolean resident) {
    long[] points = points(group, n);
    long[] scalars = scalars(n);
    long[] expected = new long[group.jacobianWords()];
    FlatPoints host = new FlatPoints(group, points);
    Pippenger.multiExp(host, Scalars.of(canonical(scalars)), WORKERS, expected, 0);
    long[] found = new long[group.jacobianWords()];
    try (DeviceBuffer s = upload(scalars);
        DeviceBuffer p = upload(points)) {
      DevicePoints list = new DevicePoints(host, resident ? p : null);
      DeviceMsm msm = new DeviceMsm(kernels, staging, stream);
      if (plan == null) {
        msm.sum(list, DeviceScalars.list(s, n), null, found, 0);
      } else {
        msm.sum(list, DeviceScalars.list(s, n), null, plan, found, 0);
      }
    }
    assertThat(affine(group, found))
        .as("%d points of %s", n, group.name())
        .isEqualTo(affine(group, expected));
  }

  @Test
  void g1() {
    requireSum(Group.G1, 256, null, true);
    requireSum(Group.G1, 1, null, true);
  }

  @Test
  void g2() {
    requireSum(Group.G2, 64, null, true);
  }

  /** Several tiles and parts, and buckets of more than one piece, as the plan itself cuts. */
  @Test
  @Tag("nightly")
  void manyPoints() {
    requireSum(Group.G1, 5000, null, true);
    requireSum(Group.G2, 700, null, true);
  }

  /**
   * Chunks, windows in two batches, a top window of few bits, buckets in several parts and pieces.
   */
  @Test
  void cutUp() {
    requireSum(Group.G1, 150, new MsmPlan(64, 6, 30, 2, 32, 2), true);
    requireSum(Group.G1, 70, new MsmPlan(64, 5, 51, 2, 1024, 8), false);
  }

  /** Buckets in two blocks of the reduction, narrower windows among them. */
  @Test
  void blocksThatReduce() {
    MsmPlan plan = new MsmPlan(40, 10, 1, 4, 1024, 8);
    assertThat(plan.reduceBlocks(1, 1)).isEqualTo(2);
    assertThat(plan.wide()).isEqualTo(21);
    requireSum(Group.G1, 40, plan, true);
  }

  /**
   * No window has few parts to sort: 255 bits in windows of 14 would leave three for the last one,
   * and all pairs in one part.
   */
  @Test
  void pairsOfEveryWindowAreSpreadOverItsParts() {
    int n = 512;
    long[] scalars = new long[n * Fr.WORDS];
    for (int i = 0; i < n; i++) {
      Fr.fromBigInteger(scalars, i * Fr.WORDS, below(Fr.MODULUS));
    }
    MsmPlan plan = MsmPlan.shape(n, 14, MsmPlan.windows(14));
    long[] counts = new long[plan.partCounters() / 2];
    try (DeviceBuffer s = upload(scalars);
        DeviceBuffer prepared = device.allocate(32L * n);
        DeviceBuffer counters = device.allocate(8L * counts.length)) {
      MsmSort sort = new MsmSort(kernels, stream);
      sort.prepare(prepared, DeviceScalars.list(s, n), 0, n);
      sort.count(plan, counters, prepared, n, 0, plan.windows());
      counts = download(counters, counts.length);
    }
    for (int w = 0; w < plan.windows(); w++) {
      int most = 0;
      for (int k = w * plan.parts(); k < (w + 1) * plan.parts(); k++) {
        most = Math.max(most, (int) (counts[k / 2] >>> 32 * (k & 1)));
      }
      assertThat(most).as("pairs of a part of window %d", w).isBetween(1, n / 8);
    }
  }

  /** All points in one bucket of each window: sums of pieces in more than one round. */
  @Test
  void oneBucket() {
    int n = 100;
    long[] points = points(Group.G1, n);
    long[] scalars = new long[n * Fr.WORDS];
    for (int i = 0; i < n; i++) {
      Fr.setLong(scalars, i * Fr.WORDS, 5);
    }
    long[] expected = new long[Group.G1.jacobianWords()];
    Pippenger.multiExp(
        new FlatPoints(Group.G1, points), Scalars.of(canonical(scalars)), WORKERS, expected, 0);
    long[] found = new long[expected.length];
    try (DeviceBuffer s = upload(scalars);
        DeviceBuffer p = upload(points)) {
      new DeviceMsm(kernels, staging, stream)
          .sum(
              new DevicePoints(new FlatPoints(Group.G1, points), p),
              DeviceScalars.list(s, n),
              null,
              new MsmPlan(n, 4, 64, 1, 1024, 1),
              found,
              0);
    }
    assertThat(affine(Group.G1, found)).isEqualTo(affine(Group.G1, expected));
  }

  /** Coefficients lie bit-reversed; the points that belong to them in any of core's orders. */
  @Test
  void coefficientsFindTheirPoints() {
    int k = 6;
    int n = (1 << k) - 1;
    int words = Group.G1.affineWords();
    long[] natural = points(Group.G1, n);
    long[] scalars = scalars(n + 1);
    long[] expected = new long[Group.G1.jacobianWords()];
    Pippenger.multiExp(
        new FlatPoints(Group.G1, natural),
        Scalars.of(Arrays.copyOf(canonical(scalars), n * Fr.WORDS)),
        WORKERS,
        expected,
        0);
    long[] reversed = new long[scalars.length];
    for (int i = 0; i <= n; i++) {
      int to = (int) CoefficientOrder.BIT_REVERSED.position(i, k);
      Fr.set(reversed, to * Fr.WORDS, scalars, i * Fr.WORDS);
    }
    for (CoefficientOrder order : CoefficientOrder.values()) {
      long[] points = new long[natural.length];
      for (int i = 0; i < n; i++) {
        System.arraycopy(natural, i * words, points, (int) order.position(i, k) * words, words);
      }
      long[] found = new long[expected.length];
      try (DeviceBuffer s = upload(reversed);
          DeviceBuffer p = upload(points)) {
        new DeviceMsm(kernels, staging, stream)
            .sum(
                new DevicePoints(new FlatPoints(Group.G1, points), p),
                DeviceScalars.coefficients(s, k, order),
                null,
                found,
                0);
      }
      assertThat(affine(Group.G1, found)).as(order.name()).isEqualTo(affine(Group.G1, expected));
    }
  }

  @Test
  void scalarsOfSomePoints() {
    long[] points = points(Group.G1, 60);
    int[] map = {3, 4, 7, 31, 32, 59};
    long[] scalars = scalars(map.length);
    long[] selected = new long[map.length * Group.G1.affineWords()];
    for (int i = 0; i < map.length; i++) {
      int words = Group.G1.affineWords();
      System.arraycopy(points, map[i] * words, selected, i * words, words);
    }
    long[] expected = new long[Group.G1.jacobianWords()];
    Pippenger.multiExp(
        new FlatPoints(Group.G1, selected), Scalars.of(canonical(scalars)), WORKERS, expected, 0);
    long[] found = new long[expected.length];
    try (DeviceBuffer s = upload(scalars);
        DeviceBuffer p = upload(points);
        DeviceBuffer m = device.allocate(4L * map.length)) {
      device.upload(m, MemorySegment.ofArray(map), stream);
      new DeviceMsm(kernels, staging, stream)
          .sum(
              new DevicePoints(new FlatPoints(Group.G1, points), p),
              DeviceScalars.list(s, map.length),
              m,
              found,
              0);
    }
    assertThat(affine(Group.G1, found)).isEqualTo(affine(Group.G1, expected));
  }

  @Test
  void bitsSelectPoints() {
    for (Group group : new Group[] {Group.G1, Group.G2}) {
      int n = group == Group.G1 ? 1000 : 200;
      long[] points = points(group, n);
      FlatPoints host = new FlatPoints(group, points);
      long[] bits = new long[(n + 63) / 64];
      for (int i = 0; i < n; i++) {
        if (i % 8 < 2 || RANDOM.nextBoolean()) {
          bits[i / 64] |= 1L << i;
        }
      }
      long[] expected = new long[group.jacobianWords()];
      BitSum.sum(host, bits, WORKERS, expected, 0);
      long[] found = new long[expected.length];
      DeviceBitSum sum = new DeviceBitSum(kernels, staging, stream);
      try (DeviceBuffer p = upload(points)) {
        sum.sum(new DevicePoints(host, p), bits, found, 0);
        assertThat(affine(group, found)).as(group.name()).isEqualTo(affine(group, expected));
        sum.sum(new DevicePoints(host, p), new long[bits.length], found, 0);
        assertThat(group.isInfinity(found, 0)).as("no bits").isTrue();
      }
      sum.sum(new DevicePoints(host, null), bits, found, 0);
      assertThat(affine(group, found))
          .as("uploaded " + group.name())
          .isEqualTo(affine(group, expected));
    }
  }

  /**
   * A device that has less than it says takes smaller chunks; one that has nearly nothing refuses.
   */
  @Test
  void outOfMemoryTakesSmallerChunks() {
    int n = 100;
    long[] points = points(Group.G1, n);
    long[] scalars = scalars(n);
    FlatPoints host = new FlatPoints(Group.G1, points);
    long[] expected = new long[Group.G1.jacobianWords()];
    Pippenger.multiExp(host, Scalars.of(canonical(scalars)), WORKERS, expected, 0);
    long[] found = new long[expected.length];
    long whole = MsmPlan.of(n, Group.G1, 0, 32 << 20).bytes(Group.G1, 0);
    try (DeviceBuffer s = upload(scalars);
        DeviceBuffer p = upload(points);
        DeviceKernels poor = new DeviceKernels(lending(whole - 1))) {
      new DeviceMsm(poor, staging, stream)
          .sum(new DevicePoints(host, p), DeviceScalars.list(s, n), null, found, 0);
      assertThat(affine(Group.G1, found)).isEqualTo(affine(Group.G1, expected));
      assertThatThrownBy(
              () ->
                  new DeviceMsm(new DeviceKernels(lending(1000)), staging, stream)
                      .sum(new DevicePoints(host, p), DeviceScalars.list(s, n), null, found, 0))
          .isInstanceOf(InfrastructureException.class)
          .hasMessageContaining("a sum over 100 points of G1 takes at least");
    }
  }

  /** This device, but no allocation above a limit succeeds. */
  private GpuDevice lending(long most) {
    return (GpuDevice)
        Proxy.newProxyInstance(
            GpuDevice.class.getClassLoader(),
            new Class<?>[] {GpuDevice.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("allocate") && (Long) arguments[0] > most) {
                throw new DeviceException(DeviceException.Kind.OUT_OF_MEMORY, "no more");
              }
              try {
                return method.invoke(device, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** 2^27 rows on a card of 16 GB: three vectors, and h in chunks beside one of them. */
  @Test
  void theProductsSizeFitsASmallCard() {
    long card = 15L << 30;
    assertThat(DeviceKey.proofBytes(1L << 27, 445_000_000)).isLessThan(card);
    long beside = card - (4L << 30);
    MsmPlan h = MsmPlan.of((1L << 27) - 1, Group.G1, 96, beside);
    assertThat(h.bytes(Group.G1, 96)).isLessThanOrEqualTo(beside);
    assertThat(h.points()).isGreaterThanOrEqualTo(1 << 22);
    assertThat(MsmPlan.of(3_000_000, Group.G2, 192, beside).points()).isEqualTo(3_000_000);
  }

  @Test
  void plansFitTheirBudget() {
    for (long budget : new long[] {2L << 30, 12L << 30, 100L << 30}) {
      MsmPlan plan = MsmPlan.of((1L << 27) - 1, Group.G1, 0, budget);
      assertThat(plan.bytes(Group.G1, 0)).isLessThanOrEqualTo(budget);
      assertThat(plan.c()).isBetween(14, 22);
    }
    MsmPlan small = MsmPlan.of((1L << 27) - 1, Group.G1, 96, 2L << 30);
    MsmPlan large = MsmPlan.of((1L << 27) - 1, Group.G1, 96, 100L << 30);
    assertThat(small.points()).isLessThan(large.points());
    assertThatThrownBy(() -> MsmPlan.of(1L << 27, Group.G2, 192, 1 << 20))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("takes at least")
        .hasMessageContaining("there are 1048576");
  }
}
