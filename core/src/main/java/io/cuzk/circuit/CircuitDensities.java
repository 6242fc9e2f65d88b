package io.cuzk.circuit;

import io.cuzk.r1cs.Density;
import io.cuzk.r1cs.Variable;

/** Which variables of a compiled circuit stand in A and B, from the templates' own densities. */
final class CircuitDensities {
  private CircuitDensities() {}

  /** Auxiliaries of A, auxiliaries of B, inputs of B. */
  static Density[] of(CompiledCircuit circuit) {
    int words = (circuit.aux() >>> 6) + 2;
    long[] a = new long[words];
    long[] b = new long[words];
    Density inputs = Density.ofSize(circuit.inputs());
    Instances instances = circuit.instances();
    RowExpansion expansion = new RowExpansion(circuit);
    for (int i = 0; i < instances.count(); i++) {
      expansion.open(i);
      Template template = expansion.template();
      add(a, template, template.aAux, instances.auxBase()[i]);
      add(b, template, template.bAux, instances.auxBase()[i]);
      for (int slot = 0; slot < template.externals; slot++) {
        int variable = expansion.variable(Variable.aux(slot));
        int index = Variable.index(variable);
        if (!Variable.isAux(variable)) {
          if (template.bAux.isSet(slot)) {
            inputs.set(index);
          }
          continue;
        }
        if (template.aAux.isSet(slot)) {
          a[index >>> 6] |= 1L << index;
        }
        if (template.bAux.isSet(slot)) {
          b[index >>> 6] |= 1L << index;
        }
      }
      for (int j = 0; j <= template.inputs; j++) {
        if (template.bInputs.isSet(j)) {
          inputs.set(expansion.variable(j));
        }
      }
    }
    return new Density[] {Density.of(a, circuit.aux()), Density.of(b, circuit.aux()), inputs};
  }

  private static void add(long[] to, Template template, Density density, int base) {
    long[] words = density.words();
    int end = template.externals + template.aux;
    for (int i = template.externals; i < end; i += 64) {
      int n = Math.min(64, end - i);
      int w = i >>> 6;
      long value = words[w] >>> i;
      if ((i & 63) + n > 64) {
        value |= words[w + 1] << -i;
      }
      BitRuns.deposit(to, base + i - template.externals, n, value & BitRuns.mask(n));
    }
  }
}
