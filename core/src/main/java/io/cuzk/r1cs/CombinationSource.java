package io.cuzk.r1cs;

/** Where a reading's combinations come from. Not thread-safe. */
public interface CombinationSource {
  /** An empty combination, the borrower's until {@link #takeBack}. */
  LinearCombination lend();

  /** An empty combination that is the caller's for good. */
  LinearCombination create();

  /** Ends the loan of all that were lent. */
  void takeBack();
}
