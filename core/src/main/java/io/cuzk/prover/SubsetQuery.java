package io.cuzk.prover;

import io.cuzk.circuit.Assignment;
import io.cuzk.curve.AffinePoints;
import io.cuzk.curve.Group;
import io.cuzk.field.Arithmetic;
import io.cuzk.field.Fr;
import io.cuzk.msm.BitSum;
import io.cuzk.msm.Pippenger;
import io.cuzk.msm.Scalars;
import io.cuzk.parallel.Workers;
import io.cuzk.r1cs.Density;

/**
 * The selection that the sum over one query's auxiliaries takes. A query holds the points of the
 * dense auxiliaries only, in order; of their values most are 0 or 1: those that are 1 are added up
 * by {@link BitSum}, and only the others go through {@link Pippenger}.
 */
public final class SubsetQuery {
  /** Bit k is set where the query's point k has the scalar one. */
  private final long[] ones;

  /** The query's points with other scalars, and those auxiliaries. */
  private final int[] otherPoints;

  private final int[] otherAux;

  private final long size;

  private SubsetQuery(long[] ones, int[] otherPoints, int[] otherAux, long size) {
    this.ones = ones;
    this.otherPoints = otherPoints;
    this.otherAux = otherAux;
    this.size = size;
  }

  /**
   * Selects the dense auxiliaries.
   *
   * @param dense which are in the query; null if all are
   */
  public static SubsetQuery of(Assignment assignment, Density dense) {
    int aux = assignment.aux();
    int words = (aux + 63) >>> 6;
    long[] auxOnes = assignment.auxOnes();
    long[] auxOthers = assignment.auxOthers();
    long[] density = dense == null ? null : dense.words();
    int count = dense == null ? aux : dense.count();
    int others = 0;
    for (int w = 0; w < words; w++) {
      others += Long.bitCount(auxOthers[w] & (density == null ? -1L : density[w]));
    }
    long[] ones = new long[(count + 63) >>> 6];
    int[] points = new int[others];
    int[] variables = new int[others];
    int rank = 0;
    int next = 0;
    for (int w = 0; w < words; w++) {
      long mask = density == null ? -1L : density[w];
      if (w == words - 1 && (aux & 63) != 0) {
        mask &= (1L << aux) - 1;
      }
      int n = Long.bitCount(mask);
      long packed = Long.compress(auxOnes[w] & mask, mask);
      int shift = rank & 63;
      if (packed != 0) {
        ones[rank >>> 6] |= packed << shift;
        if (shift + n > 64) {
          ones[(rank >>> 6) + 1] |= packed >>> (64 - shift);
        }
      }
      for (long rest = auxOthers[w] & mask; rest != 0; rest &= rest - 1) {
        int bit = Long.numberOfTrailingZeros(rest);
        points[next] = rank + Long.bitCount(mask & ((1L << bit) - 1));
        variables[next++] = (w << 6) + bit;
      }
      rank += n;
    }
    return new SubsetQuery(ones, points, variables, count);
  }

  /** How many points the query has. */
  public long size() {
    return size;
  }

  /** Bit k, lowest first, is set where the query's point k has the scalar one. For reading only. */
  public long[] ones() {
    return ones;
  }

  /** The query's points with scalars other than 0 and 1, ascending. For reading only. */
  public int[] otherPoints() {
    return otherPoints;
  }

  /** The auxiliary of each of {@link #otherPoints}. For reading only. */
  public int[] otherAux() {
    return otherAux;
  }

  /**
   * Adds up.
   *
   * @param points the query's points from the first auxiliary on
   * @param window bits of Pippenger's windows; 0 for what suits the number of points
   */
  void sum(
      AffinePoints points,
      Assignment assignment,
      int window,
      Workers workers,
      Arithmetic arithmetic,
      long[] out,
      int at) {
    if (points.size() != size) {
      throw new IllegalArgumentException(
          "%d points for %d dense auxiliaries".formatted(points.size(), size));
    }
    Group group = points.group();
    long[] bits = new long[group.jacobianWords()];
    BitSum.sum(points, ones, workers, arithmetic, bits, 0);
    AffinePoints selected = new SelectedPoints(points, otherPoints);
    Pippenger.multiExp(
        selected,
        new OtherValues(assignment),
        workers,
        arithmetic,
        window == 0 ? Pippenger.window(selected) : window,
        out,
        at);
    group.add(out, at, out, at, bits, 0);
  }

  /** The values of the auxiliaries that are neither 0 nor 1. */
  private final class OtherValues implements Scalars {
    private final Assignment assignment;

    OtherValues(Assignment assignment) {
      this.assignment = assignment;
    }

    @Override
    public long size() {
      return otherAux.length;
    }

    @Override
    public void read(long from, int count, long[] canonical, int at) {
      for (int i = 0; i < count; i++) {
        int to = at + Fr.WORDS * i;
        assignment.readAux(otherAux[(int) from + i], 1, canonical, to);
        Fr.toCanonical(canonical, to, canonical, to);
      }
    }
  }

  private record SelectedPoints(AffinePoints points, int[] indices) implements AffinePoints {
    @Override
    public Group group() {
      return points.group();
    }

    @Override
    public long size() {
      return indices.length;
    }

    @Override
    public void read(long from, int count, long[] out, int at) {
      int words = points.group().affineWords();
      int i = 0;
      while (i < count) {
        int first = indices[(int) from + i];
        int run = 1;
        while (i + run < count && indices[(int) from + i + run] == first + run) {
          run++;
        }
        points.read(first, run, out, at + i * words);
        i += run;
      }
    }
  }
}
