package io.cuzk.r1cs;

import io.cuzk.field.Fr;

/**
 * A combination whose first terms lie in fields of the object, so that a short one allocates no
 * arrays. With one term more than fit, all move to the arrays and stay there until {@link #clear}.
 */
abstract sealed class InlineCombination extends LinearCombination
    permits Inline1, Inline2, Inline4 {
  private int count;
  private boolean spilled;

  /** Terms that fit into the fields. */
  abstract int capacity();

  abstract int variableIn(int i);

  abstract void get(int i, long[] out, int at);

  abstract void put(int i, int variable, long[] coefficient, int at);

  /** Copies a term to the next place. */
  abstract void shift(int i);

  @Override
  final boolean inFields() {
    return !spilled;
  }

  @Override
  public final LinearCombination clear() {
    super.clear();
    count = 0;
    spilled = false;
    return this;
  }

  @Override
  public final LinearCombination set(LinearCombination other) {
    clear();
    return add(other);
  }

  @Override
  public final LinearCombination add(int variable, long[] coefficient, int at) {
    if (spilled) {
      return super.add(variable, coefficient, at);
    }
    int n = count;
    int place = n;
    while (place > 0 && Integer.compareUnsigned(variable, variableIn(place - 1)) <= 0) {
      place--;
    }
    if (place < n && variableIn(place) == variable) {
      long[] sum = new long[Fr.WORDS];
      get(place, sum, 0);
      Fr.add(sum, 0, sum, 0, coefficient, at);
      put(place, variable, sum, 0);
      holdsZeros |= Fr.isZero(sum, 0);
      return this;
    }
    if (n == capacity()) {
      spill();
      return super.add(variable, coefficient, at);
    }
    for (int i = n - 1; i >= place; i--) {
      shift(i);
    }
    put(place, variable, coefficient, at);
    count = n + 1;
    holdsZeros |= Fr.isZero(coefficient, at);
    return this;
  }

  @Override
  final LinearCombination merge(LinearCombination other, long[] factor, int at, boolean multiply) {
    if (!spilled) {
      if (other.size() <= capacity()) {
        return mergeTerms(other, factor, at, multiply);
      }
      spill();
    }
    return super.merge(other, factor, at, multiply);
  }

  @Override
  public final LinearCombination scale(long[] factor, int at) {
    spill();
    return super.scale(factor, at);
  }

  @Override
  public final int size() {
    if (spilled) {
      return super.size();
    }
    if (holdsZeros) {
      dropZeros();
    }
    return count;
  }

  private void dropZeros() {
    long[] term = new long[Fr.WORDS];
    int k = 0;
    for (int i = 0; i < count; i++) {
      get(i, term, 0);
      if (!Fr.isZero(term, 0)) {
        put(k++, variableIn(i), term, 0);
      }
    }
    count = k;
    holdsZeros = false;
  }

  @Override
  public final int variable(int i) {
    return spilled ? super.variable(i) : variableIn(i);
  }

  @Override
  final void coefficient(int i, long[] out, int at) {
    if (spilled) {
      super.coefficient(i, out, at);
    } else {
      get(i, out, at);
    }
  }

  @Override
  public final long[] coefficients() {
    spill();
    return super.coefficients();
  }

  private void spill() {
    if (!spilled) {
      spilled = true;
      long[] term = new long[Fr.WORDS];
      for (int i = 0; i < count; i++) {
        get(i, term, 0);
        super.add(variableIn(i), term, 0);
      }
    }
  }
}
