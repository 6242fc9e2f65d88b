package io.cuzk.prover;

import io.cuzk.circuit.Assignment;
import io.cuzk.curve.AffinePoints;
import io.cuzk.curve.Group;
import io.cuzk.field.Arithmetic;
import io.cuzk.field.CoefficientOrder;
import io.cuzk.field.Fr;
import io.cuzk.field.FrVector;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.CircuitShape;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.groth16.QuerySums;
import io.cuzk.msm.Pippenger;
import io.cuzk.msm.Scalars;
import io.cuzk.parallel.Workers;
import io.cuzk.poly.QuotientPolynomial;
import io.cuzk.r1cs.ConstraintMatrices;
import io.cuzk.r1cs.Density;
import java.util.Optional;
import java.util.concurrent.Future;

/**
 * Proves on the CPU, on all threads of its pool. Beside the assignment it holds three vectors of
 * the domain's size while it makes the quotient (32 bytes an element each, 48 in lanes) and one
 * until its coefficients are added up; the assignment's rows are let go before the transforms. It
 * reads the key's points in blocks. Several proofs may run at once, each on a pool of its own
 * ({@link #on}) or all on one.
 */
public final class CpuBackend implements ProverBackend {
  private static final int BLOCK = 1 << 12;

  private final Workers workers;
  private final Arithmetic arithmetic;
  private final ProofVariant variant;

  /** For {@link ProofVariant#C_MATRIX} only. */
  private final ConstraintMatrices matrices;

  private CpuBackend(
      Workers workers, Arithmetic arithmetic, ProofVariant variant, ConstraintMatrices matrices) {
    this.workers = workers;
    this.arithmetic = arithmetic;
    this.variant = variant;
    this.matrices = matrices;
  }

  /** A backend that computes on a pool, which stays the caller's to close. */
  public static CpuBackend of(Workers workers) {
    return of(workers, Arithmetic.current());
  }

  /** The same with a particular arithmetic. */
  static CpuBackend of(Workers workers, Arithmetic arithmetic) {
    return new CpuBackend(workers, arithmetic, ProofVariant.STANDARD, null);
  }

  /**
   * One that proves in another way, to be measured against.
   *
   * @param matrices of the circuit that it will prove; read by {@link ProofVariant#C_MATRIX} only,
   *     otherwise they may be null
   * @throws IllegalArgumentException if this backend cannot do the variant
   */
  public static CpuBackend of(Workers workers, ProofVariant variant, ConstraintMatrices matrices) {
    variant
        .inapplicable("cpu", workers.threads())
        .ifPresent(
            why -> {
              throw new IllegalArgumentException(variant.label() + ": " + why);
            });
    if (variant == ProofVariant.C_MATRIX && matrices == null) {
      throw new IllegalArgumentException(variant.label() + " needs the circuit's matrices");
    }
    return new CpuBackend(workers, Arithmetic.current(), variant, matrices);
  }

  @Override
  public ProverBackend on(Workers pool) {
    return pool == workers ? this : new CpuBackend(pool, arithmetic, variant, matrices);
  }

  @Override
  public String name() {
    return "cpu";
  }

  @Override
  public String device() {
    return "cpu, %d %s, %s"
        .formatted(
            workers.threads(), workers.threads() == 1 ? "thread" : "threads", arithmetic.name());
  }

  @Override
  public Proof prove(ProvingKey key, Assignment assignment, Blinding blinding, PhaseTimer timer) {
    QuerySums sums = sums(key, assignment, timer).joined();
    return timer.time("assemble", () -> sums.assemble(key.vk(), blinding));
  }

  /** The eight sums that the reference prover computes, Jacobian. */
  record PartialSums(
      long[] h,
      long[] l,
      long[] aInputs,
      long[] aAux,
      long[] b1Inputs,
      long[] b1Aux,
      long[] b2Inputs,
      long[] b2Aux) {
    QuerySums joined() {
      return new QuerySums(
          h,
          l,
          add(Group.G1, aInputs, aAux),
          add(Group.G1, b1Inputs, b1Aux),
          add(Group.G2, b2Inputs, b2Aux));
    }

    private static long[] add(Group group, long[] x, long[] y) {
      long[] z = new long[group.jacobianWords()];
      group.add(z, 0, x, 0, y, 0);
      return z;
    }
  }

  PartialSums sums(ProvingKey key, Assignment assignment, PhaseTimer timer) {
    int window = variant == ProofVariant.ONE_WINDOW ? Pippenger.window(key.h()) : 0;
    Future<long[][]> beside =
        variant == ProofVariant.PARALLEL_B_G2
            ? workers.beside(
                () -> {
                  SubsetQuery own = SubsetQuery.of(assignment, assignment.bAux());
                  return b2Sums(key, assignment, own, window, timer);
                })
            : null;
    long[] h = quotientSum(key, assignment, timer);
    long[] l =
        timer.time(
            "msm.l",
            () -> auxSum(key.l(), 0, SubsetQuery.of(assignment, null), assignment, window));
    int inputs = assignment.inputs();
    long[][] a =
        timer.time(
            "msm.a",
            () ->
                new long[][] {
                  inputSum(key.a(), assignment, null),
                  auxSum(
                      key.a(),
                      inputs,
                      SubsetQuery.of(assignment, assignment.aAux()),
                      assignment,
                      window)
                });
    Density bInputs = assignment.bInputs();
    SubsetQuery[] dense = new SubsetQuery[1];
    long[][] b1 =
        timer.time(
            "msm.b1",
            () -> {
              dense[0] = SubsetQuery.of(assignment, assignment.bAux());
              return new long[][] {
                inputSum(key.bG1(), assignment, bInputs),
                auxSum(key.bG1(), bInputs.count(), dense[0], assignment, window)
              };
            });
    long[][] b2 =
        beside == null ? b2Sums(key, assignment, dense[0], window, timer) : Workers.join(beside);
    return new PartialSums(h, l, a[0], a[1], b1[0], b1[1], b2[0], b2[1]);
  }

  private long[][] b2Sums(
      ProvingKey key, Assignment assignment, SubsetQuery dense, int window, PhaseTimer timer) {
    return timer.time(
        "msm.b2",
        () -> {
          Density inputs = assignment.bInputs();
          return new long[][] {
            inputSum(key.bG2(), assignment, inputs),
            auxSum(key.bG2(), inputs.count(), dense, assignment, window)
          };
        });
  }

  /** In a method of its own, so that the vectors are garbage when it returns. */
  private long[] quotientSum(ProvingKey key, Assignment assignment, PhaseTimer timer) {
    FrVector quotient = timer.time("quotient", () -> quotient(assignment));
    return timer.time(
        "msm.h",
        () -> {
          long[] out = new long[key.h().group().jacobianWords()];
          int logDomain = Long.numberOfTrailingZeros(quotient.size());
          CoefficientOrder order = quotient.arithmetic().transform(logDomain).order();
          Scalars scalars = Scalars.ofCoefficients(quotient, order, key.hOrder());
          Pippenger.multiExp(key.h(), scalars, workers, arithmetic, out, 0);
          return out;
        });
  }

  /** h in the order in which the last transform leaves it; the assignment's rows are let go. */
  FrVector quotient(Assignment assignment) {
    CircuitShape shape = new CircuitShape(assignment.inputs(), assignment.aux(), assignment.rows());
    FrVector a = arithmetic.allocate(shape.domain());
    FrVector b = arithmetic.allocate(shape.domain());
    long rows = assignment.rows();
    workers.forRanges(
        Math.ceilDiv(rows, BLOCK),
        1,
        (from, to) -> {
          long[] block = new long[Fr.WORDS * BLOCK];
          for (long i = from; i < to; i++) {
            long row = i * BLOCK;
            int n = (int) Math.min(BLOCK, rows - row);
            assignment.readA(row, n, block, 0);
            a.load(row, block, 0, n);
            assignment.readB(row, n, block, 0);
            b.load(row, block, 0, n);
          }
        });
    assignment.rowsRead();
    return switch (variant) {
      case C_PRODUCT -> {
        FrVector c = arithmetic.allocate(shape.domain());
        c.setProduct(a, b, workers);
        yield QuotientPolynomial.inTransformOrder(a, b, c, workers);
      }
      case C_MATRIX ->
          QuotientPolynomial.inTransformOrder(a, b, c(assignment, shape.domain()), workers);
      default -> QuotientPolynomial.inTransformOrder(a, b, workers);
    };
  }

  /** C·w row by row; the trailing rows of the inputs are zero there. */
  private FrVector c(Assignment assignment, long domain) {
    long[] inputs = new long[Fr.WORDS * assignment.inputs()];
    long[] aux = new long[Math.multiplyExact(Fr.WORDS, assignment.aux())];
    assignment.readInputs(0, assignment.inputs(), inputs, 0);
    assignment.readAux(0, assignment.aux(), aux, 0);
    FrVector c = arithmetic.allocate(domain);
    int rows = matrices.rows();
    workers.forRanges(
        Math.ceilDiv(rows, BLOCK),
        1,
        (from, to) -> {
          long[] block = new long[Fr.WORDS * BLOCK];
          for (int i = (int) from; i < to; i++) {
            int n = Math.min(BLOCK, rows - i * BLOCK);
            matrices.multiply(ConstraintMatrices.C, i * BLOCK, n, inputs, aux, block, 0);
            c.load(i * BLOCK, block, 0, n);
          }
        });
    return c;
  }

  private long[] auxSum(
      AffinePoints query, long start, SubsetQuery subset, Assignment assignment, int window) {
    long[] out = new long[query.group().jacobianWords()];
    PointRange points = new PointRange(query, start, query.size() - start);
    subset.sum(points, assignment, window, workers, arithmetic, out, 0);
    return out;
  }

  /** The sum over the dense inputs, whose points come first in a query. */
  private long[] inputSum(AffinePoints query, Assignment assignment, Density dense) {
    int inputs = assignment.inputs();
    int count = dense == null ? inputs : dense.count();
    long[] scalars = new long[Fr.WORDS * count];
    int next = 0;
    for (int i = 0; i < inputs; i++) {
      if (dense == null || dense.isSet(i)) {
        assignment.readInputs(i, 1, scalars, next);
        Fr.toCanonical(scalars, next, scalars, next);
        next += Fr.WORDS;
      }
    }
    long[] out = new long[query.group().jacobianWords()];
    Pippenger.multiExp(
        new PointRange(query, 0, count), Scalars.of(scalars), workers, arithmetic, out, 0);
    return out;
  }

  /** Finds the CPU, which is always there. */
  public static final class Provider implements ProverBackendProvider {
    @Override
    public String name() {
      return "cpu";
    }

    @Override
    public int priority() {
      return 0;
    }

    @Override
    public Optional<String> unavailable() {
      return Optional.empty();
    }

    @Override
    public boolean concurrent() {
      return true;
    }

    /** Three vectors of the domain in the wider of the two forms. */
    @Override
    public long heapBytes(long domain) {
      return 3 * 48 * domain;
    }

    @Override
    public ProverBackend open(String address, Workers workers) {
      return open(0, workers);
    }

    @Override
    public ProverBackend open(int device, Workers workers) {
      return CpuBackend.of(workers);
    }
  }
}
