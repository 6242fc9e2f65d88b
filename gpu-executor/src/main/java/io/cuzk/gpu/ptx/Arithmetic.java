package io.cuzk.gpu.ptx;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;

/** Bytecode for the instructions that only compute. */
final class Arithmetic {
  private final Emitter emit;
  private final CodeBuilder code;
  private final SumsAndProducts sums;

  Arithmetic(Emitter emit) {
    this.emit = emit;
    code = emit.code;
    sums = new SumsAndProducts(emit);
  }

  /** Emits an instruction; false if it is none of this kind. */
  boolean emit(Instruction i) {
    switch (i.base()) {
      case "mov" -> move(i);
      case "add", "addc", "sub", "subc" -> sums.addOrSubtract(i);
      case "mul" -> sums.multiply(i);
      case "mad", "madc" -> sums.multiplyAdd(i);
      case "setp" -> compare(i);
      case "selp" -> select(i);
      case "and", "or", "xor" -> logic(i);
      case "not", "neg", "abs" -> unary(i);
      case "shl", "shr" -> shift(i);
      case "div", "rem" -> divide(i);
      case "min", "max" -> extreme(i);
      case "cvt" -> convert(i);
      case "brev", "clz", "popc", "bfind" -> count(i);
      case "shf" -> funnel(i);
      case "bfe", "bfi", "prmt", "lop3" -> field(i);
      default -> {
        return false;
      }
    }
    return true;
  }

  private void move(Instruction i) {
    PtxType type = i.type();
    if (i.operand(1) instanceof Operand.Vector parts) {
      int bits = type.bits / parts.elements().size();
      PtxType part = unsigned(bits);
      for (int k = 0; k < parts.elements().size(); k++) {
        emit.longValue(parts.elements().get(k), part);
        if (k > 0) {
          code.loadConstant(k * bits).lshl().lor();
        }
      }
      emit.storeLong(i.operand(0));
    } else if (i.operand(0) instanceof Operand.Vector parts) {
      int bits = type.bits / parts.elements().size();
      for (int k = 0; k < parts.elements().size(); k++) {
        emit.longValue(i.operand(1), unsigned(type.bits));
        code.loadConstant(k * bits).lushr();
        emit.extend(unsigned(bits));
        emit.storeLong(parts.elements().get(k));
      }
    } else if (type.wide()) {
      emit.longValue(i.operand(1), type);
      emit.storeLong(i.operand(0));
    } else {
      emit.intValue(i.operand(1));
      emit.storeInt(i.operand(0));
    }
  }

  static PtxType unsigned(int bits) {
    return switch (bits) {
      case 8 -> PtxType.U8;
      case 16 -> PtxType.U16;
      case 32 -> PtxType.U32;
      case 64 -> PtxType.U64;
      default -> throw new IllegalArgumentException(bits + " bits");
    };
  }

  private void compare(Instruction i) {
    boolean combined = i.has("and") || i.has("or") || i.has("xor");
    int first = i.operands().size() - (combined ? 3 : 2);
    PtxType type = i.type();
    emit.longValue(i.operand(first), type);
    emit.longValue(i.operand(first + 1), type);
    if (type == PtxType.U64) {
      code.invokestatic(
          ConstantDescs.CD_Long, "compareUnsigned", MethodTypeDesc.ofDescriptor("(JJ)I"));
    } else {
      code.lcmp();
    }
    Label yes = code.newLabel();
    Label end = code.newLabel();
    String relation = i.modifiers().getFirst();
    switch (relation) {
      case "eq" -> code.ifeq(yes);
      case "ne" -> code.ifne(yes);
      case "lt", "lo" -> code.iflt(yes);
      case "le", "ls" -> code.ifle(yes);
      case "gt", "hi" -> code.ifgt(yes);
      case "ge", "hs" -> code.ifge(yes);
      default -> throw i.unsupported("the relation is not known");
    }
    code.iconst_0().goto_(end).labelBinding(yes).iconst_1().labelBinding(end);
    if (first == 1) {
      combine(i, combined);
      emit.storeInt(i.operand(0));
      return;
    }
    int truth = code.allocateLocal(TypeKind.INT);
    code.istore(truth).iload(truth).iconst_1().ixor();
    combine(i, combined);
    code.iload(truth);
    combine(i, combined);
    emit.storeInt(i.operand(0));
    emit.storeInt(i.operand(1));
  }

  private void combine(Instruction i, boolean combined) {
    if (combined) {
      emit.predicate(i.operands().getLast());
      logic(i.modifiers().get(1), false);
    }
  }

  private void logic(String operation, boolean wide) {
    switch (operation) {
      case "and" -> {
        if (wide) {
          code.land();
        } else {
          code.iand();
        }
      }
      case "or" -> {
        if (wide) {
          code.lor();
        } else {
          code.ior();
        }
      }
      default -> {
        if (wide) {
          code.lxor();
        } else {
          code.ixor();
        }
      }
    }
  }

  private void logic(Instruction i) {
    if (i.type().wide()) {
      emit.longValue(i.operand(1), i.type());
      emit.longValue(i.operand(2), i.type());
      logic(i.base(), true);
      emit.storeLong(i.operand(0));
    } else {
      emit.intValue(i.operand(1));
      emit.intValue(i.operand(2));
      logic(i.base(), false);
      emit.storeInt(i.operand(0));
    }
  }

  private void select(Instruction i) {
    Label no = code.newLabel();
    Label end = code.newLabel();
    emit.predicate(i.operand(3));
    code.ifeq(no);
    for (int k = 1; k <= 2; k++) {
      if (i.type().wide()) {
        emit.longValue(i.operand(k), i.type());
        emit.storeLong(i.operand(0));
      } else {
        emit.intValue(i.operand(k));
        emit.storeInt(i.operand(0));
      }
      if (k == 1) {
        code.goto_(end).labelBinding(no);
      }
    }
    code.labelBinding(end);
  }

  private void unary(Instruction i) {
    if (i.type() == PtxType.PRED) {
      emit.predicate(i.operand(1));
      code.iconst_1().ixor();
      emit.storeInt(i.operand(0));
      return;
    }
    emit.longValue(i.operand(1), i.type());
    switch (i.base()) {
      case "not" -> code.loadConstant(-1L).lxor();
      case "neg" -> code.lneg();
      default -> emit.math("abs", "(J)J");
    }
    emit.storeLong(i.operand(0));
  }

  private void shift(Instruction i) {
    boolean left = i.base().equals("shl");
    boolean signed = i.type().signed;
    emit.longValue(i.operand(1), i.type());
    if (i.operand(2) instanceof Operand.Immediate by && by.value() < i.type().bits) {
      code.loadConstant((int) by.value());
      if (left) {
        code.lshl();
      } else if (signed) {
        code.lshr();
      } else {
        code.lushr();
      }
    } else {
      emit.intValue(i.operand(2));
      code.loadConstant(i.type().bits);
      emit.semantics(left ? "shiftLeft" : signed ? "shiftRightSigned" : "shiftRight", "(JII)J");
    }
    emit.storeLong(i.operand(0));
  }

  private void divide(Instruction i) {
    emit.longValue(i.operand(1), i.type());
    emit.longValue(i.operand(2), i.type());
    code.loadConstant(i.type().bits).loadConstant(i.type().signed ? 1 : 0);
    emit.semantics(i.base().equals("div") ? "divide" : "remainder", "(JJIZ)J");
    emit.storeLong(i.operand(0));
  }

  private void extreme(Instruction i) {
    emit.longValue(i.operand(1), i.type());
    emit.longValue(i.operand(2), i.type());
    if (i.type() == PtxType.U64) {
      emit.semantics(i.base() + "Unsigned", "(JJ)J");
    } else {
      emit.math(i.base(), "(JJ)J");
    }
    emit.storeLong(i.operand(0));
  }

  private void convert(Instruction i) {
    List<PtxType> types = i.modifiers().stream().map(PtxType::named).toList();
    if (types.size() != 2) {
      throw i.unsupported("not of the form cvt.to.from");
    }
    emit.longValue(i.operand(1), types.get(1));
    emit.extend(types.get(0));
    emit.storeLong(i.operand(0));
  }

  private void count(Instruction i) {
    PtxType type = i.type();
    emit.longValue(i.operand(1), i.base().equals("bfind") ? type : unsigned(type.bits));
    switch (i.base()) {
      case "brev" -> {
        code.invokestatic(ConstantDescs.CD_Long, "reverse", MethodTypeDesc.ofDescriptor("(J)J"));
        code.loadConstant(64 - type.bits).lushr();
        emit.storeLong(i.operand(0));
        return;
      }
      case "clz" -> {
        code.invokestatic(
            ConstantDescs.CD_Long, "numberOfLeadingZeros", MethodTypeDesc.ofDescriptor("(J)I"));
        code.loadConstant(64 - type.bits).isub();
      }
      case "popc" ->
          code.invokestatic(ConstantDescs.CD_Long, "bitCount", MethodTypeDesc.ofDescriptor("(J)I"));
      default -> {
        code.loadConstant(type.bits).loadConstant(type.signed ? 1 : 0);
        emit.semantics("highest", "(JIZ)I");
      }
    }
    emit.storeInt(i.operand(0));
  }

  private void funnel(Instruction i) {
    if (i.has("l") == i.has("r") || i.has("wrap") == i.has("clamp")) {
      throw i.unsupported("not of the form shf.l|r.wrap|clamp");
    }
    emit.intValue(i.operand(1));
    emit.intValue(i.operand(2));
    emit.intValue(i.operand(3));
    code.loadConstant(i.has("wrap") ? 1 : 0);
    emit.semantics(i.has("l") ? "funnelLeft" : "funnelRight", "(IIIZ)I");
    emit.storeInt(i.operand(0));
  }

  private void field(Instruction i) {
    PtxType type = i.type();
    switch (i.base()) {
      case "bfe" -> {
        emit.longValue(i.operand(1), type);
        emit.intValue(i.operand(2));
        emit.intValue(i.operand(3));
        code.loadConstant(type.bits).loadConstant(type.signed ? 1 : 0);
        emit.semantics("extract", "(JIIIZ)J");
        emit.storeLong(i.operand(0));
      }
      case "bfi" -> {
        emit.longValue(i.operand(1), type);
        emit.longValue(i.operand(2), type);
        emit.intValue(i.operand(3));
        emit.intValue(i.operand(4));
        code.loadConstant(type.bits);
        emit.semantics("insert", "(JJIII)J");
        emit.storeLong(i.operand(0));
      }
      default -> {
        emit.intValue(i.operand(1));
        emit.intValue(i.operand(2));
        emit.intValue(i.operand(3));
        if (i.base().equals("lop3")) {
          emit.intValue(i.operand(4));
          emit.semantics("lookup3", "(IIII)I");
        } else {
          emit.semantics("permute", "(III)I");
        }
        emit.storeInt(i.operand(0));
      }
    }
  }
}
