package io.cuzk.field;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class CoefficientOrderTest {
  @ParameterizedTest
  @EnumSource(CoefficientOrder.class)
  void positionsAreABijectionThatKeepsTheLast(CoefficientOrder order) {
    for (int k = 0; k <= 13; k++) {
      int m = 1 << k;
      boolean[] taken = new boolean[m];
      for (int i = 0; i < m; i++) {
        int place = Math.toIntExact(order.position(i, k));
        assertThat(taken[place]).as("%s of 2^%d: place %d twice", order, k, place).isFalse();
        taken[place] = true;
        assertThat(order.index(place, k)).isEqualTo(i);
      }
      assertThat(order.position(m - 1, k)).isEqualTo(m - 1);
    }
    long large = (1L << 28) - 12345;
    assertThat(order.index(order.position(large, 28), 28)).isEqualTo(large);
  }
}
