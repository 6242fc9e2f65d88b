package io.cuzk.circuit;

import io.cuzk.field.Fr;
import io.cuzk.parallel.Workers;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.LinearCombination;
import io.cuzk.r1cs.Satisfaction;
import io.cuzk.r1cs.Variable;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** Evaluates the rows of a compiled circuit one by one over an assignment's values. */
final class RowCheck {
  private final RowExpansion expansion;
  private final Assignment assignment;
  private final LinearCombination[] sides = {
    new LinearCombination(), new LinearCombination(), new LinearCombination()
  };
  private final long[] v = new long[6 * Fr.WORDS];
  private final long[] term = new long[2 * Fr.WORDS];
  private long[] a = new long[0];
  private long[] b = new long[0];

  private RowCheck(CompiledCircuit circuit, Assignment assignment) {
    this.expansion = new RowExpansion(circuit);
    this.assignment = assignment;
  }

  static Optional<Satisfaction.BrokenRow> firstBrokenRow(
      CompiledCircuit compiled, Circuit circuit, Assignment assignment, Workers workers) {
    Instances instances = compiled.instances();
    AtomicLong first = new AtomicLong(Long.MAX_VALUE);
    workers.forRanges(
        instances.count(),
        16,
        (from, to) -> {
          RowCheck check = new RowCheck(compiled, assignment);
          for (long i = from; i < to; i++) {
            int base = instances.rowBase()[(int) i];
            if (base < first.get()) {
              check.open((int) i, base);
              int row = check.firstBroken();
              if (row >= 0) {
                first.accumulateAndGet((long) base + row, Math::min);
              }
            }
          }
        });
    if (first.get() == Long.MAX_VALUE) {
      return Optional.empty();
    }
    return Optional.of(describe(compiled, circuit, assignment, (int) first.get()));
  }

  /** A row with its path and values, whether it holds or not. */
  static Satisfaction.BrokenRow describe(
      CompiledCircuit compiled, Circuit circuit, Assignment assignment, int row) {
    Instances instances = compiled.instances();
    int instance = Instances.at(instances.rowBase(), row);
    RowCheck check = new RowCheck(compiled, assignment);
    check.open(instance, instances.rowBase()[instance]);
    check.holds(row - instances.rowBase()[instance]);
    return new Satisfaction.BrokenRow(row, compiled.path(circuit, row), check.text());
  }

  private void open(int instance, int base) {
    expansion.open(instance);
    int words = expansion.template().rows * Fr.WORDS;
    if (words > a.length) {
      a = new long[words];
      b = new long[words];
    }
    assignment.readA(base, expansion.template().rows, a, 0);
    assignment.readB(base, expansion.template().rows, b, 0);
  }

  private int firstBroken() {
    for (int row = 0; row < expansion.template().rows; row++) {
      if (!holds(row)) {
        return row;
      }
    }
    return -1;
  }

  private boolean holds(int row) {
    for (int side = 0; side < 3; side++) {
      expansion.row(side, row, sides[side].clear());
      evaluate(sides[side], side * Fr.WORDS);
    }
    Fr.mul(v, 12, v, 0, v, 4);
    return Fr.equal(v, 12, v, 8)
        && Fr.equal(v, 0, a, row * Fr.WORDS)
        && Fr.equal(v, 4, b, row * Fr.WORDS);
  }

  private void evaluate(LinearCombination lc, int at) {
    Fr.setZero(v, at);
    for (int i = 0; i < lc.size(); i++) {
      int variable = lc.variable(i);
      int index = Variable.index(variable);
      if (Variable.isAux(variable)) {
        assignment.readAux(index, 1, term, 0);
      } else {
        assignment.readInputs(index, 1, term, 0);
      }
      Fr.mul(term, 4, term, 0, lc.coefficients(), i * Fr.WORDS);
      Fr.add(v, at, v, at, term, 4);
    }
  }

  private String text() {
    return "(%s) · (%s) = %s reads %d · %d = %d"
        .formatted(
            sides[0],
            sides[1],
            sides[2],
            Fr.toBigInteger(v, 0),
            Fr.toBigInteger(v, 4),
            Fr.toBigInteger(v, 8));
  }
}
