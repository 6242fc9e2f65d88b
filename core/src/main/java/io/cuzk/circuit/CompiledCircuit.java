package io.cuzk.circuit;

import io.cuzk.field.Fr;
import io.cuzk.parallel.Workers;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.ConstraintMatrices;
import io.cuzk.r1cs.ConstraintSystem;
import io.cuzk.r1cs.Density;
import io.cuzk.r1cs.LinearCombination;
import io.cuzk.r1cs.Satisfaction;
import io.cuzk.r1cs.Variable;
import java.util.Optional;

/**
 * A circuit as templates, each distinct {@link io.cuzk.r1cs.Block} once, and a list of their
 * instances: where each begins and what it is wired to. From the description of a circuit with
 * private inputs it takes only those, and computes the rest 64 bits at a time where values are
 * bits. Immutable and thread-safe.
 */
public final class CompiledCircuit {
  private static final int RANK_WORDS = 8;

  private final String name;
  private final int inputs;
  private final int aux;
  private final int ownRows;
  private final int wideA;
  private final int wideB;
  private final Template[] templates;
  private final Instances instances;
  private final long[] isNumber;
  private final int[] rank; // numbers before each group of words
  private final int numbers;
  private Schedule schedule;
  private Density[] densities;
  private String fingerprint;

  CompiledCircuit(
      String name,
      int inputs,
      int aux,
      int ownRows,
      int wideA,
      int wideB,
      Template[] templates,
      Instances instances,
      long[] isNumber) {
    this.name = name;
    this.inputs = inputs;
    this.aux = aux;
    this.ownRows = ownRows;
    this.wideA = wideA;
    this.wideB = wideB;
    this.templates = templates;
    this.instances = instances;
    this.isNumber = isNumber;
    rank = new int[isNumber.length / RANK_WORDS + 1];
    int count = 0;
    for (int w = 0; w < isNumber.length; w++) {
      if (w % RANK_WORDS == 0) {
        rank[w / RANK_WORDS] = count;
      }
      count += Long.bitCount(isNumber[w]);
    }
    numbers = count;
  }

  /**
   * Compiles a circuit. Seconds for 130 million rows, since equal blocks are written once.
   *
   * @param name what the circuit is: equal names mean equal rows
   * @param circuit without a witness; outside of blocks it only allocates private inputs and
   *     enforces rows
   * @throws IllegalStateException if a block computes what does not follow from its rows
   */
  public static CompiledCircuit compile(String name, Circuit circuit) {
    return CircuitCompiler.compile(name, circuit);
  }

  /** What the circuit is. */
  public String name() {
    return name;
  }

  /** Number of inputs, the constant one included. */
  public int inputs() {
    return inputs;
  }

  /** Number of auxiliaries. */
  public int aux() {
    return aux;
  }

  /** Number of rows, the trailing row of each input included. */
  public long rows() {
    return (long) ownRows + inputs;
  }

  /** SHA-256 of templates and instances in lower-case hex; takes as long as writing them. */
  public synchronized String fingerprint() {
    if (fingerprint == null) {
      fingerprint = CircuitFile.fingerprint(this);
    }
    return fingerprint;
  }

  /** Number of distinct blocks. */
  public int templates() {
    return templates.length;
  }

  /** Number of blocks. */
  public int blocks() {
    return instances.count();
  }

  int ownRows() {
    return ownRows;
  }

  int wideA() {
    return wideA;
  }

  int wideB() {
    return wideB;
  }

  int numbers() {
    return numbers;
  }

  long[] isNumber() {
    return isNumber;
  }

  Instances instances() {
    return instances;
  }

  Template template(int i) {
    return templates[i];
  }

  Template[] allTemplates() {
    return templates;
  }

  /** How many auxiliaries before an index are numbers. */
  int numbersBefore(int index) {
    int w = index >>> 6;
    int count = rank[w / RANK_WORDS];
    for (int i = w - w % RANK_WORDS; i < w; i++) {
      count += Long.bitCount(isNumber[i]);
    }
    return count + Long.bitCount(isNumber[w] & (1L << index) - 1);
  }

  /** The place of an input or of an auxiliary that is a number among the numbers. */
  int numberOf(int variable) {
    return Variable.isAux(variable) ? inputs + numbersBefore(Variable.index(variable)) : variable;
  }

  /**
   * The assignment of a circuit with private inputs. The rows that could fail are checked on the
   * way: see {@link #brokenRow}.
   *
   * @throws IllegalArgumentException if the circuit is another than the one that was compiled
   */
  public CompactAssignment assign(Circuit circuit, Workers workers) {
    WitnessValues values = new WitnessValues(this);
    PrivateInputs.read(this, circuit, values);
    schedule(workers).run(this, values, workers);
    return new CompactAssignment(this, values);
  }

  private Schedule schedule(Workers workers) {
    if (workers.threads() == 1) {
      return Schedule.IN_ORDER;
    }
    synchronized (this) {
      if (schedule == null) {
        schedule = Schedule.of(this);
      }
      return schedule;
    }
  }

  /** Bytes of the values of every assignment of this circuit: its sizes alone fix them. */
  public long assignmentBytes() {
    long words = (aux >>> 6) + 2 + ((long) aux + 63 >>> 6);
    words += (long) Fr.WORDS * (inputs + numbers() + (long) wideA() + wideB());
    return Long.BYTES * words + 2L * ownRows();
  }

  String path(Circuit circuit, long row) {
    return RowPath.of(this, circuit, (int) row);
  }

  /** The first row that does not hold in an assignment of this circuit, noted when it was made. */
  public Optional<Satisfaction.BrokenRow> brokenRow(Circuit circuit, CompactAssignment assignment) {
    long row = assignment.brokenRow();
    return row < 0
        ? Optional.empty()
        : Optional.of(RowCheck.describe(this, circuit, assignment, (int) row));
  }

  /**
   * Evaluates every row of an assignment from the matrices, without the programs that made it.
   *
   * @return the first row that does not hold or whose values of A or B are not those of the
   *     assignment
   */
  public Optional<Satisfaction.BrokenRow> firstBrokenRow(
      Circuit circuit, Assignment assignment, Workers workers) {
    return RowCheck.firstBrokenRow(this, circuit, assignment, workers);
  }

  /** All rows and variables again, for any reading without a witness. */
  public Circuit expand() {
    return this::expand;
  }

  private void expand(ConstraintSystem cs) {
    for (int i = 0; i < aux; i++) {
      cs.alloc(null, 0);
    }
    for (int i = 1; i < inputs; i++) {
      cs.allocInput(null, 0);
    }
    RowExpansion expansion = new RowExpansion(this);
    for (int i = 0; i < instances.count(); i++) {
      expansion.open(i);
      int rows = templates[instances.template()[i]].rows;
      for (int row = 0; row < rows; row++) {
        LinearCombination a = expansion.row(ConstraintMatrices.A, row, cs.lc());
        LinearCombination b = expansion.row(ConstraintMatrices.B, row, cs.lc());
        LinearCombination c = expansion.row(ConstraintMatrices.C, row, cs.lc());
        cs.enforce(a, b, c);
      }
    }
  }

  /** Auxiliaries with a non-zero coefficient in A. */
  public Density aAux() {
    return densities()[0];
  }

  /** Auxiliaries with a non-zero coefficient in B. */
  public Density bAux() {
    return densities()[1];
  }

  /** Inputs with a non-zero coefficient in B. */
  public Density bInputs() {
    return densities()[2];
  }

  private synchronized Density[] densities() {
    if (densities == null) {
      densities = CircuitDensities.of(this);
    }
    return densities;
  }
}
