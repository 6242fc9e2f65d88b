package io.cuzk.poly;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.cuzk.field.Arithmetic;
import io.cuzk.field.Fr;
import io.cuzk.field.FrTransform;
import io.cuzk.field.FrVector;
import io.cuzk.field.FrVectors;
import io.cuzk.parallel.Workers;
import io.cuzk.testing.Golden;
import java.math.BigInteger;
import java.util.Random;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What every arithmetic's transforms must do. */
abstract class EvaluationDomainContract {
  private static final JsonNode GOLDEN = Golden.json("unit-ntt.json");

  abstract Arithmetic arithmetic();

  private EvaluationDomain domain(int logSize, Workers workers) {
    return EvaluationDomain.of(logSize, workers, arithmetic());
  }

  @ParameterizedTest
  @CsvSource({"fft, input", "ifft, input", "coset_fft, input", "icoset_fft, input"})
  void agreesWithBellperson(String transform, String input) {
    try (Workers workers = Workers.of(2)) {
      EvaluationDomain domain = domain(GOLDEN.get("log_n").asInt(), workers);
      FrVector v =
          FrVectors.vector(arithmetic(), domain.size(), FrVectors.words(GOLDEN.get(input)));
      of(transform).accept(domain, v);
      assertThat(FrVectors.words(v)).isEqualTo(FrVectors.words(GOLDEN.get(transform)));
    }
  }

  private static BiConsumer<EvaluationDomain, FrVector> of(String name) {
    return switch (name) {
      case "fft" -> EvaluationDomain::fft;
      case "ifft" -> EvaluationDomain::ifft;
      case "coset_fft" -> EvaluationDomain::cosetFft;
      default -> EvaluationDomain::icosetFft;
    };
  }

  @ParameterizedTest
  @ValueSource(ints = {12, 14, 16, 18})
  void agreesWithDigests(int logSize) {
    JsonNode expected = GOLDEN.get("large").get((logSize - 12) / 2);
    assertThat(expected.get("log_n").asInt()).isEqualTo(logSize);
    long[] words = new long[Fr.WORDS << logSize];
    for (int i = 0; i < 1 << logSize; i++) {
      Fr.setLong(words, i * Fr.WORDS, (long) i * i + 7);
    }
    try (Workers workers = Workers.of(2)) {
      EvaluationDomain domain = domain(logSize, workers);
      FrVector v = FrVectors.vector(arithmetic(), domain.size(), words);
      domain.fft(v);
      assertThat(FrVectors.sha256(v)).isEqualTo(expected.get("fft_sha256").asText());
      v = FrVectors.vector(arithmetic(), domain.size(), words);
      domain.icosetFft(v);
      assertThat(FrVectors.sha256(v)).isEqualTo(expected.get("icoset_fft_sha256").asText());
    }
  }

  @Test
  void rootsAreBellmans() {
    JsonNode omegas = GOLDEN.get("omegas_by_log_n");
    long[] expected = FrVectors.words(omegas);
    long[] found = new long[expected.length];
    for (int k = 0; k < omegas.size(); k++) {
      FrTransform.root(k, found, k * Fr.WORDS);
    }
    assertThat(found).isEqualTo(expected);
  }

  @Test
  void coefficientsTimesPowersAreHornersValues() {
    Random random = new Random(3);
    for (int k = 0; k <= 7; k++) {
      long[] words = FrVectors.random(random, 1 << k);
      EvaluationDomain domain = domain(k, Workers.single());
      for (boolean coset : new boolean[] {false, true}) {
        FrVector v = FrVectors.vector(arithmetic(), domain.size(), words);
        if (coset) {
          domain.cosetFft(v);
        } else {
          domain.fft(v);
        }
        assertThat(FrVectors.words(v)).as("k=%d", k).isEqualTo(horner(words, k, coset ? 7 : 1));
      }
    }
  }

  private static long[] horner(long[] words, int k, long shift) {
    long[] point = new long[Fr.WORDS];
    long[] root = new long[Fr.WORDS];
    Fr.setLong(point, 0, shift);
    FrTransform.root(k, root, 0);
    long[] out = new long[words.length];
    for (int i = 0; i < words.length; i += Fr.WORDS) {
      for (int j = words.length - Fr.WORDS; j >= 0; j -= Fr.WORDS) {
        Fr.mul(out, i, out, i, point, 0);
        Fr.add(out, i, out, i, words, j);
      }
      Fr.mul(point, 0, point, 0, root, 0);
    }
    return out;
  }

  /** Every size's inverse undoes its transform, with any number of threads giving one result. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 5, 8, 9, 13, 14, 15, 16, 17})
  void inversesUndo(int k) {
    long[] words = FrVectors.random(new Random(k), 1 << k);
    long[] values = null;
    for (int threads = 1; threads <= 3; threads++) {
      try (Workers workers = Workers.of(threads)) {
        EvaluationDomain domain = domain(k, workers);
        FrVector v = FrVectors.vector(arithmetic(), domain.size(), words);
        domain.cosetFft(v);
        if (values == null) {
          values = FrVectors.words(v);
          assertThat(k == 0 || !java.util.Arrays.equals(values, words)).isTrue();
        }
        assertThat(FrVectors.words(v)).isEqualTo(values);
        domain.icosetFft(v);
        assertThat(FrVectors.words(v)).isEqualTo(words);
        domain.ifft(v);
        domain.fft(v);
        assertThat(FrVectors.words(v)).isEqualTo(words);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 6, 11, 14})
  void ownOrderIsWhatPositionSays(int k) {
    FrTransform transform = arithmetic().transform(k);
    long[] words = FrVectors.random(new Random(k), 1 << k);
    FrVector v = FrVectors.vector(arithmetic(), 1L << k, words);
    transform.fromNaturalOrder(v, Workers.single());
    long[] own = FrVectors.words(v);
    for (int i = 0; i < 1 << k; i++) {
      int at = Math.toIntExact(transform.position(i)) * Fr.WORDS;
      assertThat(Fr.equal(own, at, words, i * Fr.WORDS)).as("coefficient %d", i).isTrue();
    }
    transform.toNaturalOrder(v, Workers.single());
    assertThat(FrVectors.words(v)).isEqualTo(words);
  }

  @Test
  void scalingsMultiplyCoefficients() {
    int k = 14;
    Random random = new Random(5);
    long[] words = FrVectors.random(random, 1 << k);
    long[] factor = FrVectors.random(random, 1);
    long[] ratio = FrVectors.random(random, 1);
    FrTransform transform = arithmetic().transform(k);
    Workers one = Workers.single();
    FrVector scaled = FrVectors.vector(arithmetic(), 1L << k, words);
    transform.inverse(scaled, factor, ratio, one);
    transform.toNaturalOrder(scaled, one);
    FrVector plain = FrVectors.vector(arithmetic(), 1L << k, words);
    transform.inverse(plain, null, null, one);
    transform.toNaturalOrder(plain, one);
    long[] expected = FrVectors.words(plain);
    long[] power = factor.clone();
    for (int i = 0; i < expected.length; i += Fr.WORDS) {
      Fr.mul(expected, i, expected, i, power, 0);
      Fr.mul(power, 0, power, 0, ratio, 0);
    }
    assertThat(FrVectors.words(scaled)).isEqualTo(expected);

    transform.fromNaturalOrder(plain, one);
    transform.forward(plain, factor, ratio, one);
    transform.inverse(plain, null, null, one);
    transform.toNaturalOrder(plain, one);
    assertThat(FrVectors.words(plain)).isEqualTo(expected);
  }

  @Test
  void dividingByZOnTheCosetIsTheConstantOfTheQuotient() {
    long[] values = FrVectors.words(GOLDEN.get("input"));
    long[] z = new long[Fr.WORDS];
    long[] one = new long[Fr.WORDS];
    Fr.setLong(z, 0, EvaluationDomain.COSET_GENERATOR);
    Fr.pow(z, 0, z, 0, BigInteger.valueOf(1L << GOLDEN.get("log_n").asInt()));
    Fr.setOne(one, 0);
    Fr.sub(z, 0, z, 0, one, 0);
    Fr.inv(z, 0, z, 0);
    for (int i = 0; i < values.length; i += Fr.WORDS) {
      Fr.mul(values, i, values, i, z, 0);
    }
    assertThat(values).isEqualTo(FrVectors.words(GOLDEN.get("divide_by_z_on_coset")));
  }

  @Test
  void quotientOfTheToyCircuit() {
    JsonNode toy = Golden.json("toy.json");
    long[] a = FrVectors.words(toy.get("eval_a"));
    long[] b = FrVectors.words(toy.get("eval_b"));
    long m = 1L << EvaluationDomain.logSizeFor(a.length / Fr.WORDS);
    long[] expected = FrVectors.words(toy.get("h"));
    for (int threads = 1; threads <= 2; threads++) {
      try (Workers workers = Workers.of(threads)) {
        FrVector h =
            QuotientPolynomial.of(
                FrVectors.vector(arithmetic(), m, a),
                FrVectors.vector(arithmetic(), m, b),
                workers);
        assertThat(h.size()).isEqualTo(m);
        long[] words = FrVectors.words(h);
        assertThat(java.util.Arrays.copyOf(words, expected.length)).isEqualTo(expected);
        assertThat(Fr.isZero(words, words.length - Fr.WORDS)).isTrue();
      }
    }
  }

  /** h·Z + c = a·b at a point off the domain, on domains with cache blocks. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 10, 15})
  void quotientDividesTheProduct(int k) {
    Random random = new Random(k);
    long[] a = FrVectors.random(random, 1 << k);
    long[] b = FrVectors.random(random, 1 << k);
    long[] c = new long[a.length];
    for (int i = 0; i < a.length; i += Fr.WORDS) {
      Fr.mul(c, i, a, i, b, i);
    }
    try (Workers workers = Workers.of(2)) {
      EvaluationDomain domain = domain(k, workers);
      FrVector h =
          QuotientPolynomial.of(
              FrVectors.vector(arithmetic(), domain.size(), a),
              FrVectors.vector(arithmetic(), domain.size(), b),
              workers);
      FrVector unordered =
          QuotientPolynomial.inTransformOrder(
              FrVectors.vector(arithmetic(), domain.size(), a),
              FrVectors.vector(arithmetic(), domain.size(), b),
              workers);
      arithmetic().transform(k).toNaturalOrder(unordered, workers);
      assertThat(FrVectors.words(unordered)).isEqualTo(FrVectors.words(h));
      long[] x = FrVectors.random(random, 1);
      long[] left = new long[Fr.WORDS];
      long[] z = new long[Fr.WORDS];
      Fr.pow(z, 0, x, 0, BigInteger.valueOf(domain.size()));
      long[] one = new long[Fr.WORDS];
      Fr.setOne(one, 0);
      Fr.sub(z, 0, z, 0, one, 0);
      Fr.mul(left, 0, evaluate(FrVectors.words(h), x), 0, z, 0);
      Fr.add(left, 0, left, 0, evaluate(coefficients(domain, c), x), 0);
      long[] right = evaluate(coefficients(domain, a), x);
      Fr.mul(right, 0, right, 0, evaluate(coefficients(domain, b), x), 0);
      assertThat(left).isEqualTo(right);
    }
  }

  private long[] coefficients(EvaluationDomain domain, long[] values) {
    FrVector v = FrVectors.vector(arithmetic(), domain.size(), values);
    domain.ifft(v);
    return FrVectors.words(v);
  }

  private static long[] evaluate(long[] coefficients, long[] x) {
    long[] sum = new long[Fr.WORDS];
    for (int j = coefficients.length - Fr.WORDS; j >= 0; j -= Fr.WORDS) {
      Fr.mul(sum, 0, sum, 0, x, 0);
      Fr.add(sum, 0, sum, 0, coefficients, j);
    }
    return sum;
  }

  @Test
  void sizes() {
    assertThat(EvaluationDomain.logSizeFor(0)).isEqualTo(0);
    assertThat(EvaluationDomain.logSizeFor(1)).isEqualTo(0);
    assertThat(EvaluationDomain.logSizeFor(2)).isEqualTo(1);
    assertThat(EvaluationDomain.logSizeFor(2_687_961)).isEqualTo(22);
    assertThat(EvaluationDomain.logSizeFor(1 << 22)).isEqualTo(22);
    assertThat(EvaluationDomain.logSizeFor(130_278_869)).isEqualTo(27);
    assertThatThrownBy(() -> EvaluationDomain.logSizeFor((1L << 28) + 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("268435457");
    assertThatThrownBy(() -> domain(29, Workers.single()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> domain(3, Workers.single()).fft(arithmetic().allocate(9)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("9");
    assertThatThrownBy(
            () ->
                QuotientPolynomial.of(
                    arithmetic().allocate(12), arithmetic().allocate(12), Workers.single()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("12");
  }

  @Test
  void vectorsKeepWhatTheyAreGiven() {
    Random random = new Random(9);
    int n = 53;
    long[] x = FrVectors.random(random, n);
    long[] y = FrVectors.random(random, n);
    Fr.setZero(x, 0);
    Fr.setOne(x, Fr.WORDS);
    Fr.neg(x, 2 * Fr.WORDS, x, Fr.WORDS);
    FrVector v = arithmetic().allocate(n);
    for (int i = 0; i < n; ) { // unaligned pieces
      int count = Math.min(n - i, 1 + i % 11);
      v.load(i, x, i * Fr.WORDS, count);
      i += count;
    }
    assertThat(FrVectors.words(v)).isEqualTo(x);
    long[] canonical = new long[x.length];
    v.storeCanonical(3, canonical, 3 * Fr.WORDS, n - 3);
    for (int i = 3; i < n; i++) {
      long[] back = new long[Fr.WORDS];
      assertThat(Fr.isCanonical(canonical, i * Fr.WORDS)).isTrue();
      Fr.fromCanonical(back, 0, canonical, i * Fr.WORDS);
      assertThat(Fr.equal(back, 0, x, i * Fr.WORDS)).isTrue();
    }
    FrVector w = FrVectors.vector(arithmetic(), n, y);
    FrVector z = arithmetic().allocate(n);
    long[] expected = new long[x.length];
    z.setProduct(v, w, Workers.single());
    for (int i = 0; i < x.length; i += Fr.WORDS) {
      Fr.mul(expected, i, x, i, y, i);
    }
    assertThat(FrVectors.words(z)).isEqualTo(expected);
    z.setDifference(z, w, Workers.single());
    for (int i = 0; i < x.length; i += Fr.WORDS) {
      Fr.sub(expected, i, expected, i, y, i);
    }
    assertThat(FrVectors.words(z)).isEqualTo(expected);
    z.set(v, Workers.single());
    z.clear(5, 21);
    java.util.Arrays.fill(x, 5 * Fr.WORDS, 21 * Fr.WORDS, 0);
    assertThat(FrVectors.words(z)).isEqualTo(x);
    assertThatThrownBy(() -> v.store(50, canonical, 0, 4))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> v.setProduct(v, arithmetic().allocate(1), Workers.single()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
