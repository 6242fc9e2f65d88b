package io.cuzk.r1cs;

/** A circuit: writes its variables and rows, always in the same order, to any reading. */
@FunctionalInterface
public interface Circuit {
  /** Allocates and enforces everything but the trailing input rows. */
  void synthesize(ConstraintSystem cs);
}
