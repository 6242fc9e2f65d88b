package io.cuzk.circuit;

import io.cuzk.r1cs.BlankReading;
import io.cuzk.r1cs.Block;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.LinearCombination;
import io.cuzk.r1cs.Namespaces;

/** A reading that finds the namespaces of one row and writes only the block that holds it. */
final class RowPath extends BlankReading {
  private final CompiledCircuit circuit;
  private final int wanted;
  private final Namespaces namespaces = new Namespaces();
  private int row;
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
  protected void row(LinearCombination a, LinearCombination b, LinearCombination c) {
    if (row == wanted) {
      path = namespaces.path();
    }
    row++;
    next += inside ? 0 : 1;
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
