package io.cuzk.r1cs;

import io.cuzk.field.Fr;
import java.util.Optional;

/**
 * A reading that checks every row of a circuit against its witness and remembers the first that
 * does not hold. Keeps the witness, not the rows. Not thread-safe.
 */
public final class Satisfaction implements ConstraintSystem {
  /**
   * A row a·b ≠ c.
   *
   * @param row its number
   * @param path the namespace in which it was enforced
   * @param text the row's combinations and values
   */
  public record BrokenRow(long row, String path, String text) {}

  private final Witness witness = new Witness();
  private final Namespaces namespaces = new Namespaces();
  private final LinearCombinationPool pool = new LinearCombinationPool();
  private final long[] values = new long[4 * Fr.WORDS];
  private long rows;
  private BrokenRow broken;

  private Satisfaction() {}

  /** The first row of a circuit that its witness does not satisfy. */
  public static Optional<BrokenRow> firstBrokenRow(Circuit circuit) {
    Satisfaction check = new Satisfaction();
    circuit.synthesize(check);
    return Optional.ofNullable(check.broken);
  }

  @Override
  public boolean hasWitness() {
    return true;
  }

  @Override
  public int alloc(long[] value, int at) {
    return witness.alloc(value, at);
  }

  @Override
  public int allocBit(boolean value) {
    return witness.allocBit(value);
  }

  @Override
  public int allocInput(long[] value, int at) {
    return witness.allocInput(value, at);
  }

  @Override
  public void value(int variable, long[] out, int at) {
    witness.value(variable, out, at);
  }

  @Override
  public boolean bit(int variable) {
    return witness.bit(variable);
  }

  @Override
  public LinearCombination lc() {
    return pool.lend();
  }

  @Override
  public void enforce(LinearCombination a, LinearCombination b, LinearCombination c) {
    if (broken == null) {
      witness.evaluate(a, values, 0);
      witness.evaluate(b, values, 4);
      witness.evaluate(c, values, 8);
      Fr.mul(values, 12, values, 0, values, 4);
      if (!Fr.equal(values, 12, values, 8)) {
        broken = new BrokenRow(rows, namespaces.path(), text(a, b, c));
      }
    }
    rows++;
    pool.takeBack();
  }

  private String text(LinearCombination a, LinearCombination b, LinearCombination c) {
    return "("
        + a
        + ") · ("
        + b
        + ") = "
        + c
        + " reads "
        + Fr.toBigInteger(values, 0)
        + " · "
        + Fr.toBigInteger(values, 4)
        + " = "
        + Fr.toBigInteger(values, 8);
  }

  @Override
  public void enter(String name) {
    namespaces.enter(name);
  }

  @Override
  public void enter(String name, int index) {
    namespaces.enter(name, index);
  }

  @Override
  public void leave() {
    namespaces.leave();
  }
}
