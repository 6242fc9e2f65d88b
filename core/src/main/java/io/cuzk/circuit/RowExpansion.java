package io.cuzk.circuit;

import io.cuzk.field.Fr;
import io.cuzk.r1cs.ConstraintMatrices;
import io.cuzk.r1cs.LinearCombination;
import io.cuzk.r1cs.Variable;

/** Rows of instances with the circuit's variables in the place of the template's. */
final class RowExpansion {
  private final CompiledCircuit circuit;
  private final ConstraintMatrices[] unpacked;
  private int[] externals = new int[64];
  private Template template;
  private int number;
  private int auxBase;
  private int inputBase;

  RowExpansion(CompiledCircuit circuit) {
    this.circuit = circuit;
    unpacked = new ConstraintMatrices[circuit.templates()];
  }

  /** Goes to an instance. */
  void open(int instance) {
    Instances instances = circuit.instances();
    number = instances.template()[instance];
    template = circuit.template(number);
    auxBase = instances.auxBase()[instance];
    inputBase = instances.inputBase()[instance];
    if (externals.length < template.externals) {
      externals = new int[template.externals];
    }
    int wire = instances.wireStart()[instance];
    for (int slot = 0; slot < template.externals; wire += 2) {
      int info = instances.wires()[wire + 1];
      for (int i = 0; i < Instances.length(info); i++) {
        externals[slot++] = instances.wires()[wire] + i * Instances.stride(info);
      }
    }
  }

  Template template() {
    return template;
  }

  /** The circuit's variable that a template's variable is. */
  int variable(int inside) {
    int index = Variable.index(inside);
    if (!Variable.isAux(inside)) {
      return inside == Variable.ONE ? Variable.ONE : inputBase + index - 1;
    }
    return index < template.externals
        ? externals[index]
        : Variable.aux(auxBase + index - template.externals);
  }

  /** Adds a row's side to a combination. */
  LinearCombination row(int matrix, int row, LinearCombination to) {
    if (unpacked[number] == null) {
      unpacked[number] = template.matrices();
    }
    ConstraintMatrices matrices = unpacked[number];
    for (int k = matrices.start(matrix, row); k < matrices.start(matrix, row + 1); k++) {
      to.add(
          variable(matrices.variable(matrix, k)),
          matrices.table(),
          matrices.coefficient(matrix, k) * Fr.WORDS);
    }
    return to;
  }
}
