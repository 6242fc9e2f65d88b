package io.cuzk.circuit;

import io.cuzk.field.Fr;
import io.cuzk.r1cs.Variable;
import java.util.Arrays;

/**
 * Computes instances: takes what they are wired to, runs the template's program over a scratch that
 * fits into the first-level cache, puts the witness and the rows' values where they belong. One for
 * each thread.
 */
final class TemplateRunner {
  private static final int A = 0;
  private static final int B = Fr.WORDS;
  private static final int C = 2 * Fr.WORDS;

  private final CompiledCircuit circuit;
  private final WitnessValues values;
  private final Instances instances;
  private final FormReader forms = new FormReader();
  private final WindowReader windows = new WindowReader();
  private final long[] v = new long[4 * Fr.WORDS];
  private final long[] canonical = new long[Fr.WORDS + 1];
  private long[] bits = new long[64];
  private long[] numbers = new long[64];
  private Template template;
  private int[] code;
  private int instance;

  TemplateRunner(CompiledCircuit circuit, WitnessValues values) {
    this.circuit = circuit;
    this.values = values;
    instances = circuit.instances();
  }

  void run(int i) {
    instance = i;
    template = circuit.template(instances.template()[i]);
    code = template.program;
    int words = (template.externals + template.aux >>> 6) + 2;
    if (words > bits.length) {
      bits = new long[words];
    } else {
      Arrays.fill(bits, 0, words, 0);
    }
    int count = template.numberExternals + template.numbers + template.inputs;
    if (count * Fr.WORDS > numbers.length) {
      numbers = new long[count * Fr.WORDS];
    }
    take();
    program();
    put();
    int row = instances.rowBase()[i];
    windows.read(template.windowsA, template.rows, bits, values.smallA, row);
    windows.read(template.windowsB, template.rows, bits, values.smallB, row);
  }

  private void take() {
    int[] wires = instances.wires();
    int wire = instances.wireStart()[instance];
    int slot = 0;
    for (; slot < template.bitExternals; wire += 2) {
      int first = Variable.index(wires[wire]);
      int n = Instances.length(wires[wire + 1]);
      int stride = Instances.stride(wires[wire + 1]);
      if (stride == 1 || n == 1) {
        for (int i = 0; i < n; i += 64) {
          int m = Math.min(64, n - i);
          BitRuns.deposit(bits, slot + i, m, BitRuns.extract(values.bits, first + i, m));
        }
      } else {
        for (int i = 0, bit = first; i < n; i++, bit += stride) {
          BitRuns.deposit(bits, slot + i, 1, values.bits[bit >>> 6] >>> bit & 1);
        }
      }
      slot += n;
    }
    int number = 0;
    for (; slot < template.externals; wire += 2) {
      int variable = wires[wire];
      int n = Instances.length(wires[wire + 1]);
      for (int i = 0; i < n; i++, variable += Instances.stride(wires[wire + 1])) {
        int from = circuit.numberOf(variable) * Fr.WORDS;
        System.arraycopy(values.numbers, from, numbers, number, Fr.WORDS);
        number += Fr.WORDS;
      }
      slot += n;
    }
  }

  private void put() {
    values.putBits(instances.auxBase()[instance], template.aux, bits, template.externals);
    int own = template.numberExternals * Fr.WORDS;
    int n = template.numbers * Fr.WORDS;
    int base = (circuit.inputs() + instances.numberBase()[instance]) * Fr.WORDS;
    System.arraycopy(numbers, own, values.numbers, base, n);
    System.arraycopy(
        numbers,
        own + n,
        values.numbers,
        instances.inputBase()[instance] * Fr.WORDS,
        template.inputs * Fr.WORDS);
  }

  private void program() {
    int[] program = code;
    for (int p = 0; p < program.length; ) {
      p =
          switch (program[p]) {
            case Opcodes.TABLE -> table(p + 1);
            case Opcodes.SUM -> sum(p + 1);
            case Opcodes.SPLIT -> split(p + 1);
            case Opcodes.ROW -> row(p + 1);
            default -> throw new IllegalStateException("no instruction " + program[p]);
          };
    }
  }

  private int table(int at) {
    int lanes = code[at];
    int operands = code[at + 1];
    int table = code[at + 2];
    int p = at + 3;
    long a = 0;
    long b = 0;
    long c = 0;
    long d = 0;
    if (operands > 0) {
      a = LaneWord.take(code, p, bits);
      p += LaneWord.size(code, p);
    }
    if (operands > 1) {
      b = LaneWord.take(code, p, bits);
      p += LaneWord.size(code, p);
    }
    if (operands > 2) {
      c = LaneWord.take(code, p, bits);
      p += LaneWord.size(code, p);
    }
    if (operands > 3) {
      d = LaneWord.take(code, p, bits);
      p += LaneWord.size(code, p);
    }
    long word = four(table, a, b);
    if (operands > 2) {
      word = word & ~c | four(table >>> 4, a, b) & c;
    }
    if (operands > 3) {
      long upper = four(table >>> 8, a, b) & ~c | four(table >>> 12, a, b) & c;
      word = word & ~d | upper & d;
    }
    return targets(p, word & BitRuns.mask(lanes));
  }

  /** The table's lowest four entries looked up by two bits. */
  private static long four(int table, long a, long b) {
    long low = -(table & 1L) & ~a | -(table >>> 1 & 1L) & a;
    long high = -(table >>> 2 & 1L) & ~a | -(table >>> 3 & 1L) & a;
    return low & ~b | high & b;
  }

  private int targets(int at, long word) {
    int end = at + 1 + 3 * code[at];
    for (int p = at + 1; p < end; p += 3) {
      int info = code[p + 1];
      long piece = word >>> code[p + 2] & BitRuns.mask(BitRuns.length(info));
      BitRuns.put(bits, code[p], info, piece);
    }
    return end;
  }

  private int sum(int at) {
    long sum = code[at] & 0xffffffffL | (long) code[at + 1] << 32;
    int p = at + 3;
    for (int end = p + 3 * code[at + 2]; p < end; p += 3) {
      sum += BitRuns.take(bits, code[p], code[p + 1]) << code[p + 2];
    }
    int minus = code[p++];
    for (int end = p + 3 * minus; p < end; p += 3) {
      sum -= BitRuns.take(bits, code[p], code[p + 1]) << code[p + 2];
    }
    return targets(p, sum);
  }

  private int split(int at) {
    int p = forms.read(code, at, bits, numbers, template.constants, v, A);
    Fr.toCanonical(canonical, 0, v, A);
    int end = p + 1 + 3 * code[p];
    for (p++; p < end; p += 3) {
      int info = code[p + 1];
      long piece = BitRuns.extract(canonical, code[p + 2], BitRuns.length(info));
      BitRuns.put(bits, code[p], info, piece);
    }
    return end;
  }

  private int row(int at) {
    int mode = code[at + 1];
    int target = code[at + 2] * Fr.WORDS;
    int inverse = code[at + 3];
    long[] constants = template.constants;
    int p = forms.read(code, at + 6, bits, numbers, constants, v, A);
    int kindA = forms.kind;
    p = forms.read(code, p, bits, numbers, constants, v, B);
    int kindB = forms.kind;
    p = forms.read(code, p, bits, numbers, constants, v, C);
    switch (mode) {
      case Opcodes.SOLVE_C -> {
        product(kindA, kindB);
        Fr.sub(numbers, target, v, 12, v, C);
        scale(target, inverse);
      }
      case Opcodes.SOLVE_A -> {
        Fr.sub(numbers, target, v, C, v, A);
        scale(target, inverse);
        Fr.set(v, A, v, C);
      }
      case Opcodes.CHECK -> {
        product(kindA, kindB);
        if (!Fr.equal(v, 12, v, C)) {
          values.breaks((long) instances.rowBase()[instance] + code[at]);
        }
      }
      default -> throw new IllegalStateException("no mode " + mode);
    }
    if (code[at + 4] >= 0) {
      int slot = instances.wideABase()[instance] + code[at + 4];
      Fr.set(values.wideA, slot * Fr.WORDS, v, A);
    }
    if (code[at + 5] >= 0) {
      int slot = instances.wideBBase()[instance] + code[at + 5];
      Fr.set(values.wideB, slot * Fr.WORDS, v, B);
    }
    return p;
  }

  private void product(int kindA, int kindB) {
    if (kindB == Opcodes.ONE) {
      Fr.set(v, 12, v, A);
    } else if (kindA == Opcodes.ONE) {
      Fr.set(v, 12, v, B);
    } else if (kindA == Opcodes.ZERO || kindB == Opcodes.ZERO) {
      Fr.setZero(v, 12);
    } else {
      Fr.mul(v, 12, v, A, v, B);
    }
  }

  private void scale(int target, int inverse) {
    if (inverse == Opcodes.MINUS) {
      Fr.neg(numbers, target, numbers, target);
    } else if (inverse != Opcodes.PLUS) {
      Fr.mul(numbers, target, numbers, target, template.constants, inverse * Fr.WORDS);
    }
  }
}
