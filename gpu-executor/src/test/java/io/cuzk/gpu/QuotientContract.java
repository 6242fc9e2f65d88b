package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.field.CoefficientOrder;
import io.cuzk.field.Fr;
import io.cuzk.field.FrVector;
import io.cuzk.parallel.Workers;
import io.cuzk.poly.QuotientPolynomial;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The quotient's coefficients against core's, which are tested against bellperson's. */
abstract class QuotientContract extends DeviceContract {
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 10})
  void coefficientsAreCores(int k) {
    int m = 1 << k;
    long[][] rows = new long[2][m * Fr.WORDS];
    FrVector[] vectors = new FrVector[2];
    for (int side = 0; side < 2; side++) {
      // The last rows are empty, as in a circuit.
      for (int i = 0; i < m - m / 8; i++) {
        put(rows[side], i * Fr.WORDS, Fr.WORDS, below(Fr.MODULUS));
      }
      vectors[side] = FrVector.allocate(m);
      vectors[side].load(0, rows[side], 0, m);
    }
    FrVector h = QuotientPolynomial.of(vectors[0], vectors[1], Workers.single());
    long[] expected = new long[m * Fr.WORDS];
    for (int i = 0; i < m; i++) {
      int to = (int) CoefficientOrder.BIT_REVERSED.position(i, k);
      h.store(i, expected, to * Fr.WORDS, 1);
    }
    try (DeviceQuotient quotient = new DeviceQuotient(kernels, stream, k);
        DeviceBuffer a = upload(rows[0]);
        DeviceBuffer b = upload(rows[1]);
        DeviceBuffer product = device.allocate(32L * m)) {
      quotient.compute(a, b, product, stream);
      assertThat(download(a, expected.length)).isEqualTo(expected);
    }
  }
}
