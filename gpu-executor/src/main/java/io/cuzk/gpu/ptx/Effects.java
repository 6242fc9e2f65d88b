package io.cuzk.gpu.ptx;

import java.util.BitSet;
import java.util.List;

/**
 * Which registers an instruction reads and writes, as {@link Operand.Register#key} numbers; the
 * carry flag is a register too.
 */
record Effects(BitSet reads, BitSet writes) {
  static Effects of(Instruction instruction, int carryKey) {
    Effects effects = new Effects(new BitSet(), new BitSet());
    int results =
        switch (instruction.base()) {
          case "st", "red", "bar", "barrier", "bra", "brx", "ret", "exit", "trap", "call" -> 0;
          case "membar", "fence" -> 0;
          case "shfl", "setp" -> instruction.operands().size() - inputs(instruction);
          default -> 1;
        };
    List<Operand> operands = instruction.operands();
    for (int i = 0; i < operands.size(); i++) {
      effects.add(operands.get(i), i < results);
    }
    if (instruction.guard() != null) {
      effects.reads.set(instruction.guard().key());
    }
    if (instruction.readsCarry()) {
      effects.reads.set(carryKey);
    }
    if (instruction.writesCarry()) {
      effects.writes.set(carryKey);
    }
    return effects;
  }

  /** Operands behind the one or two results of the form {@code a|p}. */
  private static int inputs(Instruction instruction) {
    if (instruction.base().equals("shfl")) {
      return 4;
    }
    boolean combined = instruction.has("and") || instruction.has("or") || instruction.has("xor");
    return combined ? 3 : 2;
  }

  private void add(Operand operand, boolean result) {
    switch (operand) {
      case Operand.Register r -> (result ? writes : reads).set(r.key());
      case Operand.Vector v -> v.elements().forEach(e -> add(e, result));
      case Operand.Address a -> add(a.base(), false);
      default -> {}
    }
  }
}
