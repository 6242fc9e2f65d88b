package io.cuzk.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InvalidInputException;
import org.junit.jupiter.api.Test;

final class ArithmeticTest {
  @Test
  void theScalarProviderIsAlwaysThere() {
    assertThat(Arithmetic.named("scalar")).isSameAs(Arithmetic.scalar());
    assertThat(Arithmetic.choose("scalar")).isSameAs(Arithmetic.scalar());
    assertThat(Arithmetic.scalar().name()).isEqualTo("scalar");
  }

  @Test
  void anUnknownProviderIsAnErrorAndNoFallback() {
    assertThatThrownBy(() -> Arithmetic.choose("laces"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("laces")
        .hasMessageContaining("scalar")
        .hasMessageContaining(Arithmetic.PROPERTY);
  }

  @Test
  void oneIsChosenForTheJvm() {
    assertThat(Arithmetic.current()).isSameAs(Arithmetic.current());
    assertThat(FrVector.allocate(3).arithmetic()).isSameAs(Arithmetic.current());
  }
}
