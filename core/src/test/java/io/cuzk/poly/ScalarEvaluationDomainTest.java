package io.cuzk.poly;

import io.cuzk.field.Arithmetic;

final class ScalarEvaluationDomainTest extends EvaluationDomainContract {
  @Override
  Arithmetic arithmetic() {
    return Arithmetic.scalar();
  }
}
