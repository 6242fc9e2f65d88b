package io.cuzk.field;

/**
 * Adds pairs of affine points, many at a time: the divisions of all pairs share one inversion
 * (Montgomery's trick), so that an addition costs about six multiplications.
 *
 * <p>Operands are named by references: {@code index << 1 | sign} is the point {@code index} of a
 * vector, negated if sign is 1; {@link #NONE} is infinity. Points of a vector may be infinity
 * themselves. All sums are right: infinity, equal and opposite operands are detected and handled,
 * at no cost where there are none; a batch full of them may be slow.
 *
 * <p>An instance owns scratch memory: one per thread. The vectors' provider must be the adder's.
 */
public abstract class AffineAdder {
  /** The reference to infinity. */
  public static final int NONE = -1;

  /** For providers. */
  protected AffineAdder() {}

  /**
   * out[at + k] = x[xRefs[xo + k]] + y[yRefs[yo + k]] for 0 ≤ k &lt; n. Exactly n points are
   * written; {@code at} has no alignment.
   *
   * <p>Aliasing: out may be the same vector as x or y if each k reads there either point at + k
   * itself or points outside [at, at + n).
   *
   * @param n at most the {@code maxBatch} that the adder was made with; 0 is allowed
   */
  public abstract void add(
      AffineVector out,
      int at,
      AffineVector x,
      int[] xRefs,
      int xo,
      AffineVector y,
      int[] yRefs,
      int yo,
      int n);

  /** out[at + k] = x[refs[from + k]], signs applied, for 0 ≤ k &lt; n; any n. */
  public abstract void gather(
      AffineVector out, int at, AffineVector x, int[] refs, int from, int n);
}
