package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.field.CoefficientOrder;
import io.cuzk.field.Fr;
import io.cuzk.field.FrVector;
import io.cuzk.parallel.Workers;
import io.cuzk.poly.EvaluationDomain;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The transforms against core's, which are tested against a naive sum and golden vectors. */
abstract class TransformContract extends DeviceContract {
  private final Workers workers = Workers.single();

  private static long[] random(int n) {
    long[] v = new long[n * Fr.WORDS];
    for (int i = 0; i < n; i++) {
      put(v, i * Fr.WORDS, Fr.WORDS, below(Fr.MODULUS));
    }
    return v;
  }

  private FrVector vector(long[] words) {
    FrVector v = FrVector.allocate(words.length / Fr.WORDS);
    v.load(0, words, 0, words.length / Fr.WORDS);
    return v;
  }

  private static long[] words(FrVector v) {
    long[] words = new long[(int) v.size() * Fr.WORDS];
    v.store(0, words, 0, (int) v.size());
    return words;
  }

  private static long[] reversed(long[] v, int k) {
    long[] out = new long[v.length];
    for (int i = 0; i < 1 << k; i++) {
      int to = (int) CoefficientOrder.BIT_REVERSED.position(i, k);
      Fr.set(out, to * Fr.WORDS, v, i * Fr.WORDS);
    }
    return out;
  }

  /** Inverse with and without scaling, forward with and without, both orders. */
  private void requireSame(DeviceTransform transform) {
    int k = transform.logSize();
    long[] v = random(1 << k);
    EvaluationDomain domain = EvaluationDomain.of(k, workers);
    long[] seven = new long[Fr.WORDS];
    long[] seventh = new long[Fr.WORDS];
    Fr.setLong(seven, 0, EvaluationDomain.COSET_GENERATOR);
    Fr.inv(seventh, 0, seven, 0);
    try (PowerTable plain = transform.afterInverse(stream, null, null);
        PowerTable coset = transform.afterInverse(stream, null, seventh);
        PowerTable before = transform.beforeForward(stream, seven)) {
      FrVector expected = vector(v);
      domain.ifft(expected);
      try (DeviceBuffer d = upload(v)) {
        transform.inverse(d, plain, stream);
        long[] found = download(d, v.length);
        assertThat(found).as("coefficients of 2^%d", k).isEqualTo(reversed(words(expected), k));
        transform.forward(d, null, stream);
        assertThat(download(d, v.length)).as("and back, 2^%d", k).isEqualTo(v);
      }
      expected = vector(v);
      domain.icosetFft(expected);
      try (DeviceBuffer d = upload(v)) {
        transform.inverse(d, coset, stream);
        long[] found = download(d, v.length);
        assertThat(found).as("on the coset, 2^%d", k).isEqualTo(reversed(words(expected), k));
        transform.reverse(d, stream);
        assertThat(download(d, v.length)).as("in natural order").isEqualTo(words(expected));
        transform.reverse(d, stream);
        transform.forward(d, before, stream);
        assertThat(download(d, v.length)).as("and back from the coset, 2^%d", k).isEqualTo(v);
      }
      expected = vector(v);
      domain.cosetFft(expected);
      try (DeviceBuffer d = upload(v)) {
        transform.reverse(d, stream);
        transform.forward(d, before, stream);
        assertThat(download(d, v.length)).as("values on the coset").isEqualTo(words(expected));
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10})
  void everySize(int k) {
    try (DeviceTransform transform = new DeviceTransform(kernels, stream, k)) {
      requireSame(transform);
    }
  }

  /** As many passes as the largest sizes have, with tables of both kinds. */
  @Test
  void threePasses() {
    try (DeviceTransform transform =
        new DeviceTransform(kernels, stream, 9, new int[] {3, 2, 4}, 6)) {
      requireSame(transform);
    }
  }

  /** Three passes of their own accord, and a table in two levels behind the first of them. */
  @Test
  @Tag("nightly")
  void largeSize() {
    try (DeviceTransform transform = new DeviceTransform(kernels, stream, 19)) {
      requireSame(transform);
    }
  }

  /** The radix that only 2^28 takes. */
  @Test
  void radixOfTen() {
    try (DeviceTransform transform =
        new DeviceTransform(kernels, stream, 10, new int[] {10}, PowerTable.DIRECT)) {
      requireSame(transform);
    }
  }

  @Test
  void radicesOfTheProductsSizes() {
    assertThat(DeviceTransform.radices(27, 9)).containsExactly(9, 9, 9);
    assertThat(DeviceTransform.radices(28, 9)).containsExactly(10, 9, 9);
    assertThat(DeviceTransform.radices(24, 9)).containsExactly(8, 8, 8);
    assertThat(DeviceTransform.radices(1, 9)).containsExactly(1);
  }
}
