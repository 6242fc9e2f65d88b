package io.cuzk.gpu.ptx;

import java.util.List;

/** What an instruction works on. */
sealed interface Operand {
  /**
   * A register: predicates and up to 32 bits are held as ints, 64 bits as longs, numbered apart.
   *
   * @param negated for predicates: {@code !%p1}
   */
  record Register(String name, int index, boolean wide, boolean negated) implements Operand {
    /** A number that no other register of the function has. */
    int key() {
      return index << 1 | (wide ? 1 : 0);
    }

    Register not() {
      return new Register(name, index, wide, !negated);
    }
  }

  record Immediate(long value) implements Operand {}

  /** {@code [base + offset]}, the base a register, symbol or immediate. */
  record Address(Operand base, long offset) implements Operand {}

  record Symbol(PtxVariable variable) implements Operand {}

  record Vector(List<Operand> elements) implements Operand {}

  /** {@code %tid.x} and the like; the number is its place in a thread's special registers. */
  record Special(int number) implements Operand {}

  /** A place in the code: the index of an instruction, known once the function was read. */
  final class Label implements Operand {
    final String name;
    int target = -1;

    Label(String name) {
      this.name = name;
    }
  }

  /** A function or a table of branch targets. */
  record Name(String name) implements Operand {}

  /** {@code _}: a result that nobody wants. */
  record Sink() implements Operand {}
}
