package io.cuzk.circuit;

import io.cuzk.r1cs.Block;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.ConstraintSystem;
import io.cuzk.r1cs.LinearCombination;
import io.cuzk.r1cs.LinearCombinationPool;
import io.cuzk.r1cs.Namespaces;
import io.cuzk.r1cs.Variable;

/** A reading that finds the namespaces of one row and writes only the block that holds it. */
final class RowPath implements ConstraintSystem {
  private final CompiledCircuit circuit;
  private final int wanted;
  private final Namespaces namespaces = new Namespaces();
  private final LinearCombinationPool pool = new LinearCombinationPool();
  private int row;
  private int aux;
  private int inputs = 1;
  private int next;
  private boolean inside;
  private String path = "";

  private RowPath(CompiledCircuit circuit, int wanted) {
    this.circuit = circuit;
    this.wanted = wanted;
  }

  static String of(CompiledCircuit compiled, Circuit circuit, int row) {
    RowPath reading = new RowPath(compiled, row);
    circuit.synthesize(reading);
    return reading.path;
  }

  @Override
  public boolean hasWitness() {
    return false;
  }

  @Override
  public int alloc(long[] value, int at) {
    return Variable.aux(aux++);
  }

  @Override
  public int allocBit(boolean value) {
    return Variable.aux(aux++);
  }

  @Override
  public int allocInput(long[] value, int at) {
    return inputs++;
  }

  @Override
  public void value(int variable, long[] out, int at) {
    throw new IllegalStateException("paths have no witness");
  }

  @Override
  public boolean bit(int variable) {
    return false;
  }

  @Override
  public LinearCombination lc() {
    return pool.lend();
  }

  @Override
  public void enforce(LinearCombination a, LinearCombination b, LinearCombination c) {
    if (row == wanted) {
      path = namespaces.path();
    }
    row++;
    next += inside ? 0 : 1;
    pool.takeBack();
  }

  @Override
  public long[] block(Block block, long[] operands) {
    if (inside) {
      return block.write(this, operands);
    }
    Template template = circuit.template(circuit.instances().template()[next++]);
    if (wanted >= row && wanted < row + template.rows) {
      inside = true;
      long[] results = block.write(this, operands);
      inside = false;
      return results;
    }
    long[] results = template.results(aux, inputs, operands);
    row += template.rows;
    aux += template.aux;
    inputs += template.inputs;
    return results;
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
