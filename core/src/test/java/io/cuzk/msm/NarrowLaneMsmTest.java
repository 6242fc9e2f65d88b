package io.cuzk.msm;

import io.cuzk.field.Arithmetic;
import io.cuzk.lanes.Lanes;

final class NarrowLaneMsmTest extends MsmContract {
  @Override
  Arithmetic arithmetic() {
    return Lanes.of(4);
  }
}
