package io.cuzk.r1cs;

import java.util.ArrayList;
import java.util.List;

/** Combinations lent for one row and used again for the next. Not thread-safe. */
public final class LinearCombinationPool implements CombinationSource {
  private final List<LinearCombination> pool = new ArrayList<>();
  private int lent;

  @Override
  public LinearCombination lend() {
    if (lent == pool.size()) {
      pool.add(new LinearCombination());
    }
    return pool.get(lent++).clear();
  }

  @Override
  public LinearCombination create() {
    return new LinearCombination();
  }

  @Override
  public void takeBack() {
    lent = 0;
  }
}
