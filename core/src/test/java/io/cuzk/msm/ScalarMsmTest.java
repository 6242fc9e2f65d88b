package io.cuzk.msm;

import io.cuzk.field.Arithmetic;

final class ScalarMsmTest extends MsmContract {
  @Override
  Arithmetic arithmetic() {
    return Arithmetic.scalar();
  }
}
