package io.cuzk.poly;

import io.cuzk.field.Arithmetic;
import io.cuzk.lanes.Lanes;

final class LaneEvaluationDomainTest extends EvaluationDomainContract {
  @Override
  Arithmetic arithmetic() {
    return Lanes.widest();
  }
}
