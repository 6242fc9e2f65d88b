package io.cuzk.circuit;

import io.cuzk.r1cs.BlankReading;
import io.cuzk.r1cs.Block;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.LinearCombination;
import io.cuzk.r1cs.Variable;

/**
 * A reading that takes a circuit's private inputs, the auxiliaries outside of blocks, and steps
 * over the blocks, holding each against the instance that was compiled. Not thread-safe.
 */
final class PrivateInputs extends BlankReading {
  private final CompiledCircuit circuit;
  private final Instances instances;
  private final WitnessValues values;
  private final LooseRow loose = new LooseRow();
  private int next;

  private PrivateInputs(CompiledCircuit circuit, WitnessValues values) {
    this.circuit = circuit;
    this.values = values;
    instances = circuit.instances();
  }

  static void read(CompiledCircuit compiled, Circuit circuit, WitnessValues values) {
    PrivateInputs reading = new PrivateInputs(compiled, values);
    circuit.synthesize(reading);
    if (reading.next != compiled.blocks()
        || reading.aux != compiled.aux()
        || reading.inputs != compiled.inputs()) {
      throw reading.other("ends after %d blocks and %d auxiliaries");
    }
  }

  private IllegalArgumentException other(String how) {
    return new IllegalArgumentException(
        "the circuit is not the compiled one, '%s' of %d blocks and %d auxiliaries: it "
                .formatted(circuit.name(), circuit.blocks(), circuit.aux())
            + how.formatted(next, aux));
  }

  private int allocate(boolean number) {
    if (aux >= circuit.aux()
        || (circuit.isNumber()[aux >>> 6] >>> aux & 1) != (number ? 1 : 0)
        || next < instances.count() && aux >= instances.auxBase()[next]) {
      throw other("allocates otherwise after %d blocks and %d auxiliaries");
    }
    return aux++;
  }

  @Override
  public int alloc(long[] value, int at) {
    int index = allocate(true);
    if (value == null) {
      throw new IllegalArgumentException(
          "auxiliary %d of circuit '%s' is private and was not given"
              .formatted(index, circuit.name()));
    }
    int number = circuit.numberOf(Variable.aux(index));
    System.arraycopy(value, at, values.numbers, 4 * number, 4);
    return Variable.aux(index);
  }

  @Override
  public int allocBit(boolean value) {
    int index = allocate(false);
    if (value) {
      values.bits[index >>> 6] |= 1L << index;
    }
    return Variable.aux(index);
  }

  @Override
  public int allocInput(long[] value, int at) {
    throw other("allocates an input outside of blocks after %d blocks and %d auxiliaries");
  }

  private Template step(long hash) {
    if (next >= instances.count()
        || instances.operandHash()[next] != hash
        || instances.auxBase()[next] != aux
        || instances.inputBase()[next] != inputs) {
      throw other("is wired otherwise after %d blocks and %d auxiliaries");
    }
    Template template = circuit.template(instances.template()[next++]);
    aux += template.aux;
    inputs += template.inputs;
    return template;
  }

  @Override
  protected void row(LinearCombination a, LinearCombination b, LinearCombination c) {
    loose.read(a, b, c);
    step(loose.hash());
  }

  @Override
  public long[] block(Block block, long[] operands) {
    int auxBase = aux;
    int inputBase = inputs;
    Template template = step(Instances.hash(operands, operands.length));
    if (!template.block.equals(block.key())) {
      throw other("has another block before the %dth and auxiliary %d");
    }
    return template.results(auxBase, inputBase, operands);
  }
}
