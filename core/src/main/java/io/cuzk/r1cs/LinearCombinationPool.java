package io.cuzk.r1cs;

import java.util.ArrayList;
import java.util.List;

/** Combinations lent for one row and used again for the next. Not thread-safe. */
public final class LinearCombinationPool {
  private final List<LinearCombination> pool = new ArrayList<>();
  private int lent;

  /** An empty combination. */
  public LinearCombination lend() {
    if (lent == pool.size()) {
      pool.add(new LinearCombination());
    }
    return pool.get(lent++).clear();
  }

  /** Takes back all that were lent. */
  public void takeBack() {
    lent = 0;
  }
}
