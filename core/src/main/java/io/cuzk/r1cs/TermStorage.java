package io.cuzk.r1cs;

import java.util.function.Supplier;

/**
 * Where the terms of a reference synthesis' combinations lie. What is computed is the same; which
 * is fastest is to be measured, not argued ({@code cuzk bench synth}).
 */
public enum TermStorage {
  /** Growable arrays, new ones for every combination: bellperson's {@code Vec}. */
  ARRAY,
  /** One term in fields of the object, the others in arrays: {@code SmallVec<[_; 1]>}. */
  INLINE1,
  /** Two terms in fields of the object. */
  INLINE2,
  /** Four terms in fields of the object. */
  INLINE4,
  /** Growable arrays, used again row after row. */
  POOLED;

  /** A source for one synthesis. */
  public CombinationSource source() {
    return switch (this) {
      case ARRAY -> new Fresh(LinearCombination::new);
      case INLINE1 -> new Fresh(Inline1::new);
      case INLINE2 -> new Fresh(Inline2::new);
      case INLINE4 -> new Fresh(Inline4::new);
      case POOLED -> new LinearCombinationPool();
    };
  }

  /** A new combination whenever one is asked for; what was lent is left to the collector. */
  private record Fresh(Supplier<LinearCombination> supplier) implements CombinationSource {
    @Override
    public LinearCombination lend() {
      return supplier.get();
    }

    @Override
    public LinearCombination create() {
      return supplier.get();
    }

    @Override
    public void takeBack() {}
  }
}
