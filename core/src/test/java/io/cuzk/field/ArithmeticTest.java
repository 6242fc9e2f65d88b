package io.cuzk.field;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ArithmeticTest {
  private static final Arithmetic.Source BROKEN =
      new Arithmetic.Source() {
        @Override
        public String name() {
          return "broken";
        }

        @Override
        public Arithmetic create() throws Arithmetic.Unavailable {
          throw new Arithmetic.Unavailable("no fused multiply-add", "buy another machine");
        }
      };

  private static final Arithmetic.Source UNLINKED =
      new Arithmetic.Source() {
        @Override
        public String name() {
          return "unlinked";
        }

        @Override
        public Arithmetic create() {
          throw new NoClassDefFoundError("jdk/incubator/vector/DoubleVector");
        }
      };

  @Test
  void theScalarProviderIsAlwaysThere() {
    assertThat(Arithmetic.named("scalar")).isSameAs(Arithmetic.scalar());
    assertThat(Arithmetic.choose("scalar", List.of())).isSameAs(Arithmetic.scalar());
    assertThat(Arithmetic.scalar().name()).isEqualTo("scalar");
  }

  @Test
  void anUnknownProviderIsAnErrorAndNoFallback() {
    assertThatThrownBy(() -> Arithmetic.choose("laces", List.of(BROKEN)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("laces")
        .hasMessageContaining("scalar")
        .hasMessageContaining(Arithmetic.PROPERTY);
  }

  @Test
  void aForcedProviderThatCannotRunSaysWhyAndWhatToDo() {
    assertThatThrownBy(() -> Arithmetic.choose("broken", List.of(BROKEN)))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("no fused multiply-add")
        .hasMessageContaining("buy another machine");
    assertThatThrownBy(() -> Arithmetic.choose("unlinked", List.of(BROKEN, UNLINKED)))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("jdk/incubator/vector/DoubleVector")
        .hasMessageContaining("--add-modules jdk.incubator.vector");
  }

  @Test
  void anUnforcedOneFallsBackToScalar() {
    assertThat(Arithmetic.choose("", List.of(BROKEN, UNLINKED))).isSameAs(Arithmetic.scalar());
    assertThat(Arithmetic.choose("", List.of())).isSameAs(Arithmetic.scalar());
  }

  @Test
  void oneIsChosenForTheJvm() {
    assertThat(Arithmetic.current()).isSameAs(Arithmetic.current());
    assertThat(FrVector.allocate(3).arithmetic()).isSameAs(Arithmetic.current());
  }
}
