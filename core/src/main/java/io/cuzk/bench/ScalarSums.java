package io.cuzk.bench;

import io.cuzk.circuit.Assignment;
import io.cuzk.field.Fr;
import io.cuzk.field.FrTransform;
import io.cuzk.groth16.CircuitShape;
import io.cuzk.parallel.Workers;
import io.cuzk.r1cs.Density;
import java.math.BigInteger;

/**
 * What the sums of a proof are if point i of every list is τ^i times the generator: sums over
 * scalars, for which no point is added and no transform made. τ has a small order, which is no
 * power of two. Results are one Montgomery element. Reads the assignment only; thread-safe.
 */
final class ScalarSums {
  private static final int BLOCK = 1 << 12;

  private final Assignment assignment;
  private final Workers workers;

  /** τ^0 … τ^(order−1). */
  private final long[] powers;

  private final int order;

  ScalarSums(Assignment assignment, long[] powers, Workers workers) {
    this.assignment = assignment;
    this.powers = powers;
    this.workers = workers;
    order = powers.length / Fr.WORDS;
  }

  private static void addTo(long[] sum, long[] part) {
    synchronized (sum) {
      Fr.add(sum, 0, sum, 0, part, 0);
    }
  }

  /**
   * Σ wⱼ·τ^k over the variables of a query, the k-th of which is j.
   *
   * @param inputs which inputs are in it; null if all are
   * @param withInputs whether it has any
   * @param aux which auxiliaries are in it; null if all are
   */
  long[] query(boolean withInputs, Density inputs, Density aux) {
    long[] sum = new long[Fr.WORDS];
    long[] term = new long[Fr.WORDS];
    int place = 0;
    for (int i = 0; withInputs && i < assignment.inputs(); i++) {
      if (inputs == null || inputs.isSet(i)) {
        assignment.readInputs(i, 1, term, 0);
        Fr.mul(term, 0, term, 0, powers, place++ % order * Fr.WORDS);
        Fr.add(sum, 0, sum, 0, term, 0);
      }
    }
    int blocks = Math.ceilDiv(assignment.aux(), BLOCK);
    long[] first = new long[blocks + 1];
    first[0] = place;
    for (int b = 0; b < blocks; b++) {
      first[b + 1] = first[b] + dense(aux, b);
    }
    workers.forRanges(
        blocks,
        1,
        (from, to) -> {
          long[] part = new long[Fr.WORDS];
          long[] values = new long[BLOCK * Fr.WORDS];
          for (int b = (int) from; b < to; b++) {
            block(aux, b, first[b], values, part);
          }
          addTo(sum, part);
        });
    return sum;
  }

  private int dense(Density aux, int block) {
    int begin = block * BLOCK;
    int end = Math.min(begin + BLOCK, assignment.aux());
    if (aux == null) {
      return end - begin;
    }
    int count = 0;
    for (int i = begin; i < end; i++) {
      count += aux.isSet(i) ? 1 : 0;
    }
    return count;
  }

  private void block(Density aux, int block, long first, long[] values, long[] sum) {
    int begin = block * BLOCK;
    int n = Math.min(BLOCK, assignment.aux() - begin);
    assignment.readAux(begin, n, values, 0);
    long[] term = new long[Fr.WORDS];
    int k = (int) (first % order);
    for (int i = 0; i < n; i++) {
      if (aux == null || aux.isSet(begin + i)) {
        if (!Fr.isZero(values, i * Fr.WORDS)) {
          Fr.mul(term, 0, values, i * Fr.WORDS, powers, k * Fr.WORDS);
          Fr.add(sum, 0, sum, 0, term, 0);
        }
        k = k + 1 == order ? 0 : k + 1;
      }
    }
  }

  /**
   * h(τ) = (a(τ)·b(τ) − c(τ)) / Z(τ), where c has the values of a·b on the domain. A polynomial's
   * value follows from those on the domain: v(τ) = Z(τ)/n · Σ vⱼ·ωʲ/(τ − ωʲ).
   */
  long[] quotient() {
    int logDomain =
        new CircuitShape(assignment.inputs(), assignment.aux(), assignment.rows()).logDomain();
    long[] root = new long[Fr.WORDS];
    FrTransform.root(logDomain, root, 0);
    long[] a = new long[Fr.WORDS];
    long[] b = new long[Fr.WORDS];
    long[] c = new long[Fr.WORDS];
    workers.forRanges(
        Math.ceilDiv(assignment.rows(), BLOCK),
        1,
        (from, to) -> {
          Rows rows = new Rows(root);
          for (long block = from; block < to; block++) {
            rows.add(block * BLOCK);
          }
          addTo(a, rows.a);
          addTo(b, rows.b);
          addTo(c, rows.c);
        });
    BigInteger n = BigInteger.ONE.shiftLeft(logDomain);
    long[] perN = new long[Fr.WORDS];
    Fr.fromBigInteger(perN, 0, n);
    Fr.inv(perN, 0, perN, 0);
    long[] vanishing = new long[Fr.WORDS];
    long[] one = new long[Fr.WORDS];
    Fr.setOne(one, 0);
    Fr.pow(vanishing, 0, powers, Fr.WORDS, n);
    Fr.sub(vanishing, 0, vanishing, 0, one, 0);
    Fr.mul(a, 0, a, 0, b, 0);
    Fr.mul(a, 0, a, 0, vanishing, 0);
    Fr.mul(a, 0, a, 0, perN, 0);
    Fr.sub(a, 0, a, 0, c, 0);
    Fr.mul(a, 0, a, 0, perN, 0);
    return a;
  }

  /** Σ vⱼ·ωʲ/(τ − ωʲ) over blocks of rows, for a, b and a·b. */
  private final class Rows {
    private final long[] root;
    private final long[] a = new long[Fr.WORDS];
    private final long[] b = new long[Fr.WORDS];
    private final long[] c = new long[Fr.WORDS];
    private final long[] valuesA = new long[BLOCK * Fr.WORDS];
    private final long[] valuesB = new long[BLOCK * Fr.WORDS];
    private final long[] roots = new long[BLOCK * Fr.WORDS];
    private final long[] differences = new long[BLOCK * Fr.WORDS];
    private final long[] products = new long[(BLOCK + 1) * Fr.WORDS];
    private final long[] weight = new long[Fr.WORDS];
    private final long[] term = new long[Fr.WORDS];

    Rows(long[] root) {
      this.root = root;
    }

    void add(long first) {
      int n = (int) Math.min(BLOCK, assignment.rows() - first);
      assignment.readA(first, n, valuesA, 0);
      assignment.readB(first, n, valuesB, 0);
      Fr.pow(roots, 0, root, 0, BigInteger.valueOf(first));
      Fr.setOne(products, 0);
      for (int i = 0; i < n; i++) {
        int at = i * Fr.WORDS;
        if (i > 0) {
          Fr.mul(roots, at, roots, at - Fr.WORDS, root, 0);
        }
        Fr.sub(differences, at, powers, Fr.WORDS, roots, at);
        Fr.mul(products, at + Fr.WORDS, products, at, differences, at);
      }
      long[] inverse = new long[Fr.WORDS];
      Fr.inv(inverse, 0, products, n * Fr.WORDS);
      for (int at = (n - 1) * Fr.WORDS; at >= 0; at -= Fr.WORDS) {
        Fr.mul(weight, 0, inverse, 0, products, at);
        Fr.mul(inverse, 0, inverse, 0, differences, at);
        Fr.mul(weight, 0, weight, 0, roots, at);
        Fr.mul(term, 0, valuesA, at, weight, 0);
        Fr.add(a, 0, a, 0, term, 0);
        Fr.mul(term, 0, term, 0, valuesB, at);
        Fr.add(c, 0, c, 0, term, 0);
        Fr.mul(term, 0, valuesB, at, weight, 0);
        Fr.add(b, 0, b, 0, term, 0);
      }
    }
  }
}
