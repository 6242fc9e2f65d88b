package io.cuzk.circuit;

import io.cuzk.r1cs.Variable;

/**
 * Puts templates and instances together to a circuit: counts where each instance's inputs, rows,
 * numbers and wide rows begin, and holds every place against what is there.
 */
final class CircuitLayout {
  private final Template[] templates;
  private final int aux;
  private final long[] isNumber;
  private int[] privateInputs;
  private int run;
  private int left;
  private int place;
  private int numbers;

  CircuitLayout(Template[] templates, int aux) {
    this.templates = templates;
    this.aux = aux;
    isNumber = new long[(aux + 63 >>> 6) + 1];
  }

  CompiledCircuit circuit(
      String name,
      int[] template,
      int[] auxBase,
      int[] wireStart,
      int[] wires,
      long[] hashes,
      int[] runsOfPrivateInputs) {
    privateInputs = runsOfPrivateInputs;
    run = -1;
    int n = template.length;
    int[] inputBase = new int[n];
    int[] rowBase = new int[n];
    int[] numberBase = new int[n];
    int[] wideABase = new int[n];
    int[] wideBBase = new int[n];
    int inputs = 1;
    int rows = 0;
    int wideA = 0;
    int wideB = 0;
    for (int k = 0; k < n; k++) {
      if (template[k] < 0 || template[k] >= templates.length) {
        throw new Unpacker.Malformed("no template " + template[k]);
      }
      skipPrivateInputs(auxBase[k]);
      Template t = templates[template[k]];
      requireWires(t, wireStart[k], wireStart[k + 1], wires, inputs, auxBase[k]);
      inputBase[k] = inputs;
      rowBase[k] = rows;
      numberBase[k] = numbers;
      wideABase[k] = wideA;
      wideBBase[k] = wideB;
      if (t.aux > aux - place) {
        throw new Unpacker.Malformed("block " + k + " reaches beyond the last auxiliary");
      }
      if (t.numberMask != null) {
        for (int i = 0; i < t.aux; i += 64) {
          BitRuns.deposit(isNumber, place + i, Math.min(64, t.aux - i), t.numberMask[i >>> 6]);
        }
      }
      place += t.aux;
      numbers += t.numbers;
      inputs += t.inputs;
      rows = Math.addExact(rows, t.rows);
      wideA += t.wideA.length;
      wideB += t.wideB.length;
    }
    skipPrivateInputs(aux);
    Instances instances =
        new Instances(
            template,
            auxBase,
            inputBase,
            rowBase,
            numberBase,
            wideABase,
            wideBBase,
            wireStart,
            wires,
            hashes);
    return new CompiledCircuit(
        name, inputs, aux, rows, wideA, wideB, templates, instances, isNumber);
  }

  private void skipPrivateInputs(int end) {
    if (end < place || end > aux) {
      throw new Unpacker.Malformed("a block begins at auxiliary " + end + ", after " + place);
    }
    while (place < end) {
      while (left == 0) {
        if (++run == privateInputs.length) {
          throw new Unpacker.Malformed("auxiliary " + place + " belongs to nothing");
        }
        left = privateInputs[run];
      }
      if ((run & 1) != 0) {
        isNumber[place >>> 6] |= 1L << place;
        numbers++;
      }
      place++;
      left--;
    }
  }

  /** Each external is wired, and to something of its kind that is there already. */
  private void requireWires(Template t, int from, int to, int[] wires, int inputs, int auxBase) {
    int slot = 0;
    for (int w = from; w < to; w += 2) {
      int n = Instances.length(wires[w + 1]);
      int stride = Instances.stride(wires[w + 1]);
      for (int i = 0; i < n; i++, slot++) {
        int variable = wires[w] + i * stride;
        int index = Variable.index(variable);
        boolean number =
            !Variable.isAux(variable)
                || index < auxBase && (isNumber[index >>> 6] >>> index & 1) != 0;
        if (index >= (Variable.isAux(variable) ? auxBase : inputs)
            || number != slot >= t.bitExternals) {
          throw new Unpacker.Malformed(
              "%s is no operand for '%s'".formatted(Variable.toString(variable), t.block));
        }
      }
    }
    if (slot != t.externals) {
      throw new Unpacker.Malformed(
          "%d operands are wired, '%s' has %d".formatted(slot, t.block, t.externals));
    }
  }
}
