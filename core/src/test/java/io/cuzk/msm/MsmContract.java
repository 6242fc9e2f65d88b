package io.cuzk.msm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.curve.AffinePoints;
import io.cuzk.curve.FlatPoints;
import io.cuzk.curve.Group;
import io.cuzk.curve.PointEncoding;
import io.cuzk.field.AffineAdder;
import io.cuzk.field.AffineVector;
import io.cuzk.field.Arithmetic;
import io.cuzk.field.Fr;
import io.cuzk.field.FrVector;
import io.cuzk.field.FrVectors;
import io.cuzk.parallel.Workers;
import io.cuzk.testing.Golden;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What every arithmetic's sums of points must do. */
abstract class MsmContract {
  private static final BigInteger R = Fr.MODULUS;

  abstract Arithmetic arithmetic();

  static Stream<Group> groups() {
    return Stream.of(Group.G1, Group.G2);
  }

  /** Points with known logarithms, made by repeated addition of a few multiples. */
  private record Sample(Group group, long[] points, BigInteger[] logs) {
    static Sample random(Group group, int n, Random random) {
      int a = group.affineWords();
      int j = group.jacobianWords();
      long[] jacobian = new long[n * j];
      BigInteger[] logs = new BigInteger[n];
      long[] base = new long[j];
      long[] generator = new long[a];
      group.generator(generator, 0);
      group.fromAffine(base, 0, generator, 0);
      BigInteger step = new BigInteger(250, random);
      long[] s = new long[Fr.WORDS];
      words(step, s, 0);
      long[] increment = new long[j];
      group.mul(increment, 0, base, 0, s, 0);
      for (int i = 0; i < n; i++) {
        if (i % 97 == 0) {
          logs[i] = new BigInteger(300, random).mod(R);
          words(logs[i], s, 0);
          group.mul(jacobian, i * j, base, 0, s, 0);
        } else {
          logs[i] = logs[i - 1].add(step).mod(R);
          group.add(jacobian, i * j, jacobian, (i - 1) * j, increment, 0);
        }
      }
      long[] points = new long[n * a];
      group.toAffineBatch(points, 0, jacobian, 0, n);
      return new Sample(group, points, logs);
    }

    void copy(int to, int from, boolean negated) {
      int a = group.affineWords();
      System.arraycopy(points, from * a, points, to * a, a);
      logs[to] = logs[from];
      if (negated) {
        group.negAffine(points, to * a, points, to * a);
        logs[to] = R.subtract(logs[from]).mod(R);
      }
    }

    void infinity(int i) {
      group.setAffineInfinity(points, i * group.affineWords());
      logs[i] = BigInteger.ZERO;
    }

    AffinePoints list() {
      return new FlatPoints(group, points);
    }

    /** log·generator. */
    long[] multiple(BigInteger log) {
      long[] z = new long[group.jacobianWords()];
      long[] generator = new long[group.affineWords()];
      long[] s = new long[Fr.WORDS];
      group.generator(generator, 0);
      group.fromAffine(z, 0, generator, 0);
      words(log.mod(R), s, 0);
      group.mul(z, 0, z, 0, s, 0);
      return z;
    }

    BigInteger dot(BigInteger[] scalars) {
      BigInteger sum = BigInteger.ZERO;
      for (int i = 0; i < logs.length; i++) {
        sum = sum.add(logs[i].multiply(scalars[i]));
      }
      return sum.mod(R);
    }
  }

  private static void words(BigInteger v, long[] out, int at) {
    for (int i = 0; i < Fr.WORDS; i++) {
      out[at + i] = v.shiftRight(64 * i).longValue();
    }
  }

  private static Scalars scalars(BigInteger... values) {
    long[] out = new long[values.length * Fr.WORDS];
    for (int i = 0; i < values.length; i++) {
      words(values[i], out, i * Fr.WORDS);
    }
    return Scalars.of(out);
  }

  private static BigInteger[] uniform(Random random, int n) {
    BigInteger[] s = new BigInteger[n];
    for (int i = 0; i < n; i++) {
      s[i] = new BigInteger(320, random).mod(R);
    }
    return s;
  }

  private static BigInteger[] edges(Random random, int n) {
    BigInteger half = R.shiftRight(1);
    BigInteger[] special = {
      BigInteger.ZERO,
      BigInteger.ONE,
      R.subtract(BigInteger.ONE),
      BigInteger.TWO,
      half,
      half.add(BigInteger.ONE),
      BigInteger.ONE.shiftLeft(16),
      BigInteger.ONE.shiftLeft(17).subtract(BigInteger.ONE),
      BigInteger.ONE.shiftLeft(254),
      BigInteger.ONE.shiftLeft(192).subtract(BigInteger.ONE),
      R.subtract(BigInteger.ONE.shiftLeft(64)),
    };
    BigInteger[] s = uniform(random, n);
    for (int i = 0; i < n; i++) {
      if (random.nextInt(3) != 0) {
        s[i] = special[random.nextInt(special.length)];
      }
    }
    return s;
  }

  private long[] multiExp(AffinePoints points, Scalars scalars, Workers workers) {
    long[] out = new long[points.group().jacobianWords() + 3];
    Pippenger.multiExp(points, scalars, workers, arithmetic(), out, 3);
    return java.util.Arrays.copyOfRange(out, 3, out.length);
  }

  private static void assertSame(Group group, long[] found, long[] expected, String what) {
    assertThat(group.equal(found, 0, expected, 0)).as(what).isTrue();
  }

  @ParameterizedTest
  @MethodSource("groups")
  void agreesWithBellperson(Group group) {
    JsonNode golden = Golden.json("unit-msm.json");
    int n = golden.get("n").asInt();
    int a = group.affineWords();
    long[] points = new long[n * a];
    BigInteger[] logs = new BigInteger[n];
    long[] generator = new long[a];
    group.generator(generator, 0);
    long[] s = new long[n * Fr.WORDS];
    for (int i = 0; i < n; i++) {
      logs[i] = BigInteger.valueOf((long) i * i * i + 3L * i + 5);
      words(logs[i], s, i * Fr.WORDS);
    }
    FixedBase.of(group, generator, 0, n, Workers.single(), arithmetic())
        .multiply(s, 0, n, points, 0);
    boolean g1 = group == Group.G1;
    for (JsonNode sample : golden.get(g1 ? "g1_points_sample" : "g2_points_sample")) {
      int i = sample.get(0).asInt();
      byte[] encoded = new byte[sample.get(1).asText().length() / 2];
      PointEncoding.encodeCompressed(group, encoded, 0, points, i * a);
      assertThat(encoded).as("point %d", i).isEqualTo(Golden.hex(sample.get(1)));
    }
    long[] montgomery = FrVectors.words(golden.get("scalars"));
    FrVector v = FrVectors.vector(arithmetic(), n, montgomery);
    long[] sum = multiExp(new FlatPoints(group, points), Scalars.of(v, n), Workers.single());
    long[] affine = new long[a];
    group.toAffine(affine, 0, sum, 0);
    byte[] found = new byte[golden.get(g1 ? "g1" : "g2").asText().length() / 2];
    PointEncoding.encodeCompressed(group, found, 0, affine, 0);
    assertThat(found).isEqualTo(Golden.hex(golden.get(g1 ? "g1" : "g2")));
  }

  @ParameterizedTest
  @MethodSource("groups")
  void anyNumberOfPoints(Group group) {
    Random random = new Random(11);
    for (int n : new int[] {0, 1, 2, 7, 15, 16, 17, 31, 100, 511, 513, 1025}) {
      Sample sample = Sample.random(group, n, random);
      BigInteger[] s = n % 2 == 0 ? uniform(random, n) : edges(random, n);
      long[] sum = multiExp(sample.list(), scalars(s), Workers.single());
      assertSame(group, sum, sample.multiple(sample.dot(s)), "n=" + n);
    }
  }

  @ParameterizedTest
  @MethodSource("groups")
  void allWindowsAgree(Group group) {
    Random random = new Random(12);
    int n = 300;
    Sample sample = Sample.random(group, n, random);
    for (int i = 0; i < n; i += 5) {
      switch (random.nextInt(3)) {
        case 0 -> sample.infinity(i);
        case 1 -> sample.copy(i, random.nextInt(n), false);
        default -> sample.copy(i, random.nextInt(n), true);
      }
    }
    BigInteger[] s = edges(random, n);
    long[] expected = sample.multiple(sample.dot(s));
    for (int c = 2; c <= 13; c++) {
      long[] out = new long[group.jacobianWords()];
      Pippenger.multiExp(sample.list(), scalars(s), Workers.single(), arithmetic(), c, out, 0);
      assertSame(group, out, expected, "c=" + c);
    }
  }

  @ParameterizedTest
  @MethodSource("groups")
  void repeatedOppositeAndInfinitePoints(Group group) {
    Random random = new Random(13);
    int n = 400;
    Sample sample = Sample.random(group, n, random);
    for (int i = 0; i < n; i++) {
      switch (i % 4) {
        case 0 -> sample.copy(i, 1, false);
        case 2 -> sample.copy(i, 1, true);
        case 3 -> sample.infinity(i);
        default -> {}
      }
    }
    BigInteger[] equal = new BigInteger[n];
    java.util.Arrays.fill(equal, new BigInteger("123456789123456789"));
    for (BigInteger[] s : List.of(equal, edges(random, n), uniform(random, n))) {
      long[] sum = multiExp(sample.list(), scalars(s), Workers.single());
      assertSame(group, sum, sample.multiple(sample.dot(s)), "sum");
    }
    // The sum itself may be infinity.
    Sample pair = Sample.random(group, 40, random);
    for (int i = 1; i < 40; i += 2) {
      pair.copy(i, i - 1, true);
    }
    BigInteger[] ones = new BigInteger[40];
    java.util.Arrays.fill(ones, new BigInteger("987654321987654321987654321"));
    assertThat(group.isInfinity(multiExp(pair.list(), scalars(ones), Workers.single()), 0))
        .isTrue();
  }

  @ParameterizedTest
  @MethodSource("groups")
  void threadsDoNotMatter(Group group) {
    Random random = new Random(14);
    int n = group == Group.G1 ? 20_000 : 5_000;
    Sample sample = Sample.random(group, n, random);
    BigInteger[] s = uniform(random, n);
    java.util.Arrays.fill(s, n / 2, n / 2 + n / 3, BigInteger.TEN); // a bucket of many turns
    long[] expected = sample.multiple(sample.dot(s));
    long[] first = null;
    long[] bits = new long[Math.ceilDiv(n, 64)];
    for (int i = 0; i < n / 64; i++) {
      bits[i] = random.nextLong();
    }
    long[] firstBits = null;
    for (int threads = 1; threads <= 3; threads++) {
      try (Workers workers = Workers.of(threads)) {
        long[] sum = multiExp(sample.list(), scalars(s), workers);
        long[] selected = new long[group.jacobianWords()];
        BitSum.sum(sample.list(), bits, workers, arithmetic(), selected, 0);
        if (first == null) {
          first = sum;
          firstBits = selected;
          assertSame(group, sum, expected, "sum");
        }
        assertThat(sum).as("%d threads", threads).isEqualTo(first);
        assertThat(selected).as("%d threads", threads).isEqualTo(firstBits);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("groups")
  void bitSumIsTheSumOfTheSelected(Group group) {
    Random random = new Random(15);
    for (int n : new int[] {0, 1, 63, 64, 65, 200, 1000, 9000}) {
      Sample sample = Sample.random(group, n, random);
      for (int i = 3; i + 1 < n; i += 7) {
        switch (random.nextInt(3)) {
          case 0 -> sample.infinity(i);
          case 1 -> sample.copy(i, i - 1, false);
          default -> sample.copy(i, i - 1, true);
        }
      }
      for (int density = 0; density < 3; density++) {
        long[] bits = new long[Math.ceilDiv(n, 64)];
        BigInteger log = BigInteger.ZERO;
        for (int i = 0; i < n; i++) {
          if (density == 2 || random.nextInt(density == 0 ? 200 : 2) == 0) {
            bits[i >> 6] |= 1L << i;
            log = log.add(sample.logs[i]);
          }
        }
        long[] sum = new long[group.jacobianWords() + 1];
        BitSum.sum(sample.list(), bits, Workers.single(), arithmetic(), sum, 1);
        assertThat(group.equal(sum, 1, sample.multiple(log), 0))
            .as("n=%d density=%d", n, density)
            .isTrue();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("groups")
  void fixedBaseIsMultiplication(Group group) {
    Random random = new Random(16);
    Sample sample = Sample.random(group, 1, random);
    int n = 150;
    BigInteger[] s = edges(random, n);
    long[] scalars = new long[(n + 1) * Fr.WORDS];
    for (int i = 0; i < n; i++) {
      words(s[i], scalars, (i + 1) * Fr.WORDS);
    }
    int a = group.affineWords();
    for (int c : new int[] {2, 3, 5, 8, 11}) {
      FixedBase base =
          FixedBase.withWindow(group, sample.points, 0, c, Workers.single(), arithmetic());
      long[] out = new long[n * a + 5];
      base.multiply(scalars, Fr.WORDS, n, out, 5);
      for (int i = 0; i < n; i++) {
        long[] expected = new long[a];
        long[] product = sample.multiple(sample.logs[0].multiply(s[i]));
        group.toAffine(expected, 0, product, 0);
        assertThat(java.util.Arrays.copyOfRange(out, 5 + i * a, 5 + (i + 1) * a))
            .as("c=%d, scalar %s", c, s[i])
            .isEqualTo(expected);
      }
    }
    long[] zero = new long[a];
    FixedBase infinity = FixedBase.of(group, zero, 0, n, Workers.single(), arithmetic());
    long[] out = new long[n * a];
    infinity.multiply(scalars, Fr.WORDS, n, out, 0);
    assertThat(out).isEqualTo(new long[n * a]);
  }

  @ParameterizedTest
  @MethodSource("groups")
  void fixedBaseInThreadsAndManyBatches(Group group) {
    Random random = new Random(17);
    Sample sample = Sample.random(group, 1, random);
    int n = 5000;
    long[] scalars = new long[n * Fr.WORDS];
    for (int i = 0; i < n; i++) {
      words(new BigInteger(320, random).mod(R), scalars, i * Fr.WORDS);
    }
    long[] first = null;
    for (int threads = 1; threads <= 3; threads++) {
      try (Workers workers = Workers.of(threads)) {
        FixedBase base = FixedBase.of(group, sample.points, 0, n, workers, arithmetic());
        long[] out = new long[n * group.affineWords()];
        base.multiply(scalars, 0, n, out, 0);
        if (first == null) {
          first = out;
        }
        assertThat(out).isEqualTo(first);
      }
    }
    long[] product = new long[group.jacobianWords()];
    group.fromAffine(product, 0, sample.points, 0);
    group.mul(product, 0, product, 0, scalars, 4321 * Fr.WORDS);
    long[] affine = new long[group.affineWords()];
    group.toAffine(affine, 0, product, 0);
    assertThat(first).contains(affine);
  }

  /** Every combination of a few points, signs and infinities in one batch, and alone. */
  @ParameterizedTest
  @MethodSource("groups")
  void additionsAreComplete(Group group) {
    Sample sample = Sample.random(group, 6, new Random(18));
    sample.copy(3, 1, false);
    sample.copy(4, 1, true);
    sample.infinity(5);
    int a = group.affineWords();
    AffineVector points = arithmetic().allocatePoints(group.field(), 6);
    points.load(0, sample.points, 0, 6);
    List<int[]> pairs = new ArrayList<>();
    for (int x = -1; x < 12; x++) {
      for (int y = -1; y < 12; y++) {
        pairs.add(new int[] {x, y});
      }
    }
    int n = pairs.size();
    int[] left = new int[n];
    int[] right = new int[n];
    for (int i = 0; i < n; i++) {
      left[i] = pairs.get(i)[0];
      right[i] = pairs.get(i)[1];
    }
    AffineAdder adder = arithmetic().adder(group.field(), n);
    AffineVector out = arithmetic().allocatePoints(group.field(), n + 2);
    adder.add(out, 1, points, left, 0, points, right, 0, n);
    long[] batch = new long[n * a];
    out.store(1, batch, 0, n);
    AffineVector single = arithmetic().allocatePoints(group.field(), 2);
    for (int i = 0; i < n; i++) {
      long[] expected = new long[a];
      BigInteger log = signed(sample, left[i]).add(signed(sample, right[i]));
      group.toAffine(expected, 0, sample.multiple(log), 0);
      String what = "%d + %d".formatted(left[i], right[i]);
      assertThat(java.util.Arrays.copyOfRange(batch, i * a, (i + 1) * a))
          .as(what)
          .isEqualTo(expected);
      adder.add(single, 1, points, left, i, points, right, i, 1);
      long[] alone = new long[2 * a];
      single.store(0, alone, 0, 2);
      assertThat(java.util.Arrays.copyOfRange(alone, a, 2 * a)).as(what).isEqualTo(expected);
      assertThat(java.util.Arrays.copyOf(alone, a)).as("neighbour").isEqualTo(new long[a]);
    }
    long[] guards = new long[a];
    out.store(0, guards, 0, 1);
    assertThat(guards).isEqualTo(new long[a]);
    out.store(n + 1, guards, 0, 1);
    assertThat(guards).isEqualTo(new long[a]);
    adder.gather(out, 2, points, left, 0, n);
    out.store(2, batch, 0, n);
    for (int i = 0; i < n; i++) {
      long[] expected = new long[a];
      group.toAffine(expected, 0, sample.multiple(signed(sample, left[i])), 0);
      assertThat(java.util.Arrays.copyOfRange(batch, i * a, (i + 1) * a)).isEqualTo(expected);
    }
    out.clear(0, n + 2);
    out.store(0, batch, 0, n);
    assertThat(batch).isEqualTo(new long[n * a]);
  }

  private static BigInteger signed(Sample sample, int ref) {
    if (ref < 0) {
      return BigInteger.ZERO;
    }
    BigInteger log = sample.logs[ref >> 1];
    return (ref & 1) == 0 ? log : log.negate();
  }

  /** Sums in place, as buckets and running sums need them. */
  @ParameterizedTest
  @MethodSource("groups")
  void additionsInPlace(Group group) {
    Sample sample = Sample.random(group, 100, new Random(19));
    int a = group.affineWords();
    AffineVector points = arithmetic().allocatePoints(group.field(), 100);
    points.load(0, sample.points, 0, 100);
    int[] left = new int[50];
    int[] right = new int[50];
    for (int i = 0; i < 50; i++) {
      left[i] = (i + 7) << 1;
      right[i] = (i % 2 == 0 ? 60 + i / 2 : i % 7) << 1 | i & 1;
    }
    AffineAdder adder = arithmetic().adder(group.field(), 64);
    adder.add(points, 7, points, left, 0, points, right, 0, 50);
    long[] out = new long[100 * a];
    points.store(0, out, 0, 100);
    for (int i = 0; i < 100; i++) {
      BigInteger log = sample.logs[i];
      if (i >= 7 && i < 57) {
        log = log.add(signed(sample, right[i - 7]));
      }
      long[] expected = new long[a];
      group.toAffine(expected, 0, sample.multiple(log), 0);
      assertThat(java.util.Arrays.copyOfRange(out, i * a, (i + 1) * a))
          .as("point %d", i)
          .isEqualTo(expected);
    }
  }

  @Test
  void wrongInputIsNamed() {
    Sample sample = Sample.random(Group.G1, 20, new Random(20));
    Workers one = Workers.single();
    BigInteger[] s = uniform(new Random(21), 20);
    assertThatThrownBy(() -> multiExp(sample.list(), scalars(BigInteger.ONE), one))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("20 points but 1 scalars");
    s[7] = R;
    assertThatThrownBy(() -> multiExp(sample.list(), scalars(s), one))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("73eda753299d7d48");
    long[] out = new long[18];
    assertThatThrownBy(
            () -> BitSum.sum(sample.list(), new long[] {1L << 20}, one, arithmetic(), out, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("bit 20");
    assertThatThrownBy(() -> BitSum.sum(sample.list(), new long[0], one, arithmetic(), out, 0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("20 points");
  }

  @Test
  void windowsGrowWithSizeAndBowToMemory() {
    assertThat(Pippenger.window(1 << 10, 1 << 20, 1 << 17)).isBetween(6, 10);
    assertThat(Pippenger.window(1 << 22, 1 << 24, 1 << 17)).isBetween(15, 17);
    assertThat(Pippenger.window(1 << 22, 1 << 24, 1 << 22)).isBetween(16, 20);
    assertThat(Pippenger.window(1 << 22, 1 << 16, 1 << 17)).isLessThanOrEqualTo(13);
    assertThat(FixedBase.window(10_000_000, 2_000_000)).isBetween(16, 18);
    assertThat(FixedBase.window(100, 2_000_000)).isLessThan(8);
  }
}
