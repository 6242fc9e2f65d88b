package io.cuzk.groth16;

import io.cuzk.field.Fr;
import io.cuzk.parallel.Workers;
import io.cuzk.r1cs.BlankReading;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.LinearCombination;
import io.cuzk.r1cs.Variable;
import java.math.BigInteger;

/**
 * A circuit read as a quadratic arithmetic program at the secret point τ: for each variable j the
 * values A_j(τ), B_j(τ), C_j(τ) of its three polynomials, which are the sums of its coefficients
 * times the Lagrange basis polynomials of their rows. Variables are numbered inputs first. 96 bytes
 * a variable, and 32 a row of the domain while it is read.
 */
final class QapReading {
  /** The elements of an inversion batch: one inversion is worth some hundred multiplications. */
  private static final int BATCH = 1 << 10;

  private static final long[] ONE = new long[Fr.WORDS];
  private static final long[] MINUS_ONE = new long[Fr.WORDS];

  static {
    Fr.setOne(ONE, 0);
    Fr.neg(MINUS_ONE, 0, ONE, 0);
  }

  final CircuitShape shape;

  /** Z(τ) = τ^m − 1. */
  final long[] vanishing;

  final long[] a;
  final long[] b;
  final long[] c;

  private QapReading(CircuitShape shape, long[] vanishing) {
    this.shape = shape;
    this.vanishing = vanishing;
    long words = Fr.WORDS * ((long) shape.inputs() + shape.aux());
    if (words > Integer.MAX_VALUE - 8) {
      throw new IllegalArgumentException(
          "%d variables, at most 2^29 fit".formatted(words / Fr.WORDS));
    }
    a = new long[(int) words];
    b = new long[(int) words];
    c = new long[(int) words];
  }

  static QapReading of(Circuit circuit, CircuitShape shape, long[] tau, Workers workers) {
    long[] vanishing = new long[Fr.WORDS];
    Fr.pow(vanishing, 0, tau, 0, BigInteger.ONE.shiftLeft(shape.logDomain()));
    Fr.sub(vanishing, 0, vanishing, 0, ONE, 0);
    if (Fr.isZero(vanishing, 0)) {
      throw new IllegalStateException("tau lies in the domain; draw other secrets");
    }
    QapReading qap = new QapReading(shape, vanishing);
    long[] lagrange = lagrange(shape.logDomain(), tau, vanishing, workers);
    Accumulator cs = new Accumulator(qap, lagrange);
    circuit.synthesize(cs);
    cs.finish();
    return qap;
  }

  /** L_i(τ) = (Z(τ)/m)·ω^i/(τ − ω^i) for all i, with one inversion a batch. */
  private static long[] lagrange(int log, long[] tau, long[] vanishing, Workers workers) {
    long m = 1L << log;
    long[] omega = new long[Fr.WORDS];
    Fr.setLong(omega, 0, 7);
    BigInteger order = BigInteger.ONE.shiftLeft(log);
    Fr.pow(omega, 0, omega, 0, Fr.MODULUS.subtract(BigInteger.ONE).divide(order));
    long[] factor = new long[Fr.WORDS];
    Fr.setLong(factor, 0, m);
    Fr.inv(factor, 0, factor, 0);
    Fr.mul(factor, 0, factor, 0, vanishing, 0);
    long[] out = new long[Math.toIntExact(Fr.WORDS * m)];
    workers.forRanges(
        Math.ceilDiv(m, BATCH),
        1,
        (from, to) -> {
          long[] prefix = new long[Fr.WORDS * BATCH];
          long[] power = new long[Fr.WORDS];
          long[] inverse = new long[Fr.WORDS];
          long[] t = new long[Fr.WORDS];
          Fr.pow(power, 0, omega, 0, BigInteger.valueOf(from * BATCH));
          for (long batch = from; batch < to; batch++) {
            int start = (int) (batch * BATCH);
            int count = (int) Math.min(BATCH, m - start);
            // out = τ − ω^i; prefix = products before i
            Fr.setOne(t, 0);
            long[] first = power.clone();
            for (int i = 0; i < count; i++) {
              int o = Fr.WORDS * (start + i);
              Fr.set(prefix, Fr.WORDS * i, t, 0);
              Fr.sub(out, o, tau, 0, power, 0);
              Fr.mul(t, 0, t, 0, out, o);
              Fr.mul(power, 0, power, 0, omega, 0);
            }
            Fr.inv(inverse, 0, t, 0);
            for (int i = count - 1; i >= 0; i--) {
              int o = Fr.WORDS * (start + i);
              Fr.mul(t, 0, inverse, 0, prefix, Fr.WORDS * i);
              Fr.mul(inverse, 0, inverse, 0, out, o);
              Fr.set(out, o, t, 0);
            }
            Fr.mul(first, 0, first, 0, factor, 0);
            for (int i = 0; i < count; i++) {
              int o = Fr.WORDS * (start + i);
              Fr.mul(out, o, out, o, first, 0);
              Fr.mul(first, 0, first, 0, omega, 0);
            }
          }
        });
    return out;
  }

  private static final class Accumulator extends BlankReading {
    private final QapReading qap;
    private final long[] lagrange;
    private final int auxAt;
    private final long[] term = new long[Fr.WORDS];
    private int row;

    Accumulator(QapReading qap, long[] lagrange) {
      this.qap = qap;
      this.lagrange = lagrange;
      this.auxAt = qap.shape.inputs();
    }

    @Override
    protected void row(LinearCombination la, LinearCombination lb, LinearCombination lc) {
      add(qap.a, la);
      add(qap.b, lb);
      add(qap.c, lc);
      row++;
    }

    private void add(long[] sums, LinearCombination terms) {
      int n = terms.size();
      long[] coefficients = terms.coefficients();
      int l = Fr.WORDS * row;
      for (int i = 0; i < n; i++) {
        int variable = terms.variable(i);
        int to =
            Fr.WORDS * (Variable.isAux(variable) ? auxAt + Variable.index(variable) : variable);
        int k = Fr.WORDS * i;
        if (Fr.equal(coefficients, k, ONE, 0)) {
          Fr.add(sums, to, sums, to, lagrange, l);
        } else if (Fr.equal(coefficients, k, MINUS_ONE, 0)) {
          Fr.sub(sums, to, sums, to, lagrange, l);
        } else {
          Fr.mul(term, 0, coefficients, k, lagrange, l);
          Fr.add(sums, to, sums, to, term, 0);
        }
      }
    }

    void finish() {
      if (inputs != qap.shape.inputs()
          || aux != qap.shape.aux()
          || row + inputs != qap.shape.rows()) {
        throw new IllegalArgumentException(
            "the circuit changed between two readings: %s, then %s"
                .formatted(qap.shape, new CircuitShape(inputs, aux, row + inputs)));
      }
      for (int i = 0; i < inputs; i++, row++) {
        Fr.add(qap.a, Fr.WORDS * i, qap.a, Fr.WORDS * i, lagrange, Fr.WORDS * row);
      }
    }
  }
}
