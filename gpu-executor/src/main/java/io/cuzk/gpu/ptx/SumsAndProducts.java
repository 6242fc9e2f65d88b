package io.cuzk.gpu.ptx;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;

/** Bytecode for sums, differences and products, with the carry flag between them. */
final class SumsAndProducts {
  private final Emitter emit;
  private final CodeBuilder code;

  SumsAndProducts(Emitter emit) {
    this.emit = emit;
    code = emit.code;
  }

  private static boolean is32(Instruction i) {
    return i.type().bits == 32;
  }

  void addOrSubtract(Instruction i) {
    boolean minus = i.base().startsWith("sub");
    if (!i.readsCarry() && !i.writesCarry()) {
      if (is32(i)) {
        emit.intValue(i.operand(1));
        emit.intValue(i.operand(2));
        if (minus) {
          code.isub();
        } else {
          code.iadd();
        }
        emit.storeInt(i.operand(0));
      } else {
        emit.longValue(i.operand(1), i.type());
        emit.longValue(i.operand(2), i.type());
        sum(minus);
        emit.storeLong(i.operand(0));
      }
      return;
    }
    PtxType type = Arithmetic.unsigned(i.type().bits);
    emit.longValue(i.operand(1), type);
    emit.longValue(i.operand(2), type);
    finish(i, minus);
  }

  private void sum(boolean minus) {
    if (minus) {
      code.lsub();
    } else {
      code.ladd();
    }
  }

  /** The two zero-extended longs on the stack, the carry in and the carry out, into the result. */
  private void finish(Instruction i, boolean minus) {
    if (i.type().wide()) {
      finishWide(i, minus);
      return;
    }
    sum(minus);
    if (i.readsCarry()) {
      emit.carry();
      sum(minus);
    }
    if (i.writesCarry()) {
      code.dup2().loadConstant(minus ? 63 : 32).lushr();
      emit.setCarry();
    }
    emit.storeLong(i.operand(0));
  }

  private void finishWide(Instruction i, boolean minus) {
    int b = code.allocateLocal(TypeKind.LONG);
    int a = code.allocateLocal(TypeKind.LONG);
    int in = code.allocateLocal(TypeKind.LONG);
    code.lstore(b).lstore(a);
    if (i.readsCarry()) {
      emit.carry();
    } else {
      code.lconst_0();
    }
    code.lstore(in);
    if (i.writesCarry()) {
      code.lload(a).lload(b).lload(in);
      emit.semantics(minus ? "borrowOfDifference" : "carryOfSum", "(JJJ)J");
      emit.setCarry();
    }
    code.lload(a).lload(b);
    sum(minus);
    code.lload(in);
    sum(minus);
    emit.storeLong(i.operand(0));
  }

  /** Pushes the wanted half, or all, of the product of operands 1 and 2. */
  private void product(Instruction i) {
    PtxType type = i.type();
    emit.longValue(i.operand(1), type);
    emit.longValue(i.operand(2), type);
    if (!i.has("hi")) {
      code.lmul();
    } else if (type.wide()) {
      emit.math(type.signed ? "multiplyHigh" : "unsignedMultiplyHigh", "(JJ)J");
    } else {
      code.lmul().loadConstant(type.bits);
      if (type.signed) {
        code.lshr();
      } else {
        code.lushr();
      }
    }
  }

  private static void requireHalf(Instruction i) {
    if (!i.has("lo") && !i.has("hi") && !i.has("wide")) {
      throw i.unsupported("neither .lo, .hi nor .wide");
    }
  }

  void multiply(Instruction i) {
    requireHalf(i);
    if (is32(i) && i.has("lo")) {
      emit.intValue(i.operand(1));
      emit.intValue(i.operand(2));
      code.imul();
      emit.storeInt(i.operand(0));
    } else {
      product(i);
      emit.storeLong(i.operand(0));
    }
  }

  void multiplyAdd(Instruction i) {
    requireHalf(i);
    PtxType type = i.type();
    if (i.has("wide")) {
      product(i);
      emit.longValue(i.operand(3), Arithmetic.unsigned(2 * type.bits));
      code.ladd();
      emit.storeLong(i.operand(0));
    } else if (i.readsCarry() || i.writesCarry()) {
      product(i);
      emit.extend(Arithmetic.unsigned(type.bits));
      emit.longValue(i.operand(3), Arithmetic.unsigned(type.bits));
      finish(i, false);
    } else if (is32(i) && i.has("lo")) {
      emit.intValue(i.operand(1));
      emit.intValue(i.operand(2));
      code.imul();
      emit.intValue(i.operand(3));
      code.iadd();
      emit.storeInt(i.operand(0));
    } else {
      product(i);
      emit.longValue(i.operand(3), type);
      code.ladd();
      emit.storeLong(i.operand(0));
    }
  }
}
