package io.cuzk.gpu.ptx;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.HashMap;
import java.util.Map;

/** Bytecode that reads and writes PTX operands: registers are JVM locals within a chunk. */
final class Emitter {
  static final ClassDesc THREAD = ClassDesc.of(SimulatedThread.class.getName());
  static final ClassDesc SEMANTICS = ClassDesc.of(Semantics.class.getName());
  static final ClassDesc WORDS = ClassDesc.of(Words.class.getName());
  static final ClassDesc TYPE = ClassDesc.of(PtxType.class.getName());
  static final ClassDesc INTS = ConstantDescs.CD_int.arrayType();
  static final ClassDesc LONGS = ConstantDescs.CD_long.arrayType();

  private static final ClassDesc MATH = ClassDesc.of("java.lang.Math");

  /** Parameters of a chunk's method. */
  static final int THREAD_SLOT = 0;

  static final int INTS_SLOT = 1;
  static final int LONGS_SLOT = 2;

  final CodeBuilder code;
  private final int carryKey;
  private final Map<Integer, Integer> slots = new HashMap<>();

  Emitter(CodeBuilder code, PtxFunction function) {
    this.code = code;
    carryKey = function.carry() << 1 | 1;
  }

  private int slot(int key) {
    return slots.computeIfAbsent(
        key, k -> code.allocateLocal((k & 1) == 0 ? TypeKind.INT : TypeKind.LONG));
  }

  /** Register from the thread's arrays to a local. */
  void fetch(int key) {
    boolean wide = (key & 1) != 0;
    code.aload(wide ? LONGS_SLOT : INTS_SLOT).loadConstant(key >> 1);
    if (wide) {
      code.laload().lstore(slot(key));
    } else {
      code.iaload().istore(slot(key));
    }
  }

  /** Register from its local to the thread's arrays. */
  void keep(int key) {
    boolean wide = (key & 1) != 0;
    code.aload(wide ? LONGS_SLOT : INTS_SLOT).loadConstant(key >> 1);
    if (wide) {
      code.lload(slot(key)).lastore();
    } else {
      code.iload(slot(key)).iastore();
    }
  }

  void thread() {
    code.aload(THREAD_SLOT);
  }

  void callThread(String name, String type) {
    code.invokevirtual(THREAD, name, MethodTypeDesc.ofDescriptor(type));
  }

  void semantics(String name, String type) {
    code.invokestatic(SEMANTICS, name, MethodTypeDesc.ofDescriptor(type));
  }

  void math(String name, String type) {
    code.invokestatic(MATH, name, MethodTypeDesc.ofDescriptor(type));
  }

  void carry() {
    code.lload(slot(carryKey));
  }

  void setCarry() {
    code.lstore(slot(carryKey));
  }

  /** Pushes 1 or 0, as a predicate says, negation included. */
  void predicate(Operand operand) {
    intValue(operand);
  }

  /** Pushes the lower 32 bits of an operand. */
  void intValue(Operand operand) {
    switch (operand) {
      case Operand.Register r when r.wide() -> code.lload(slot(r.key())).l2i();
      case Operand.Register r -> {
        code.iload(slot(r.key()));
        if (r.negated()) {
          code.iconst_1().ixor();
        }
      }
      case Operand.Immediate i -> code.loadConstant((int) i.value());
      case Operand.Special s ->
          code.aload(THREAD_SLOT)
              .getfield(THREAD, "special", INTS)
              .loadConstant(s.number())
              .iaload();
      case Operand.Symbol s -> {
        address(s.variable());
        code.l2i();
      }
      default -> throw new IllegalArgumentException("no value: " + operand);
    }
  }

  /** Pushes an operand as a type, sign- or zero-extended to 64 bits. */
  void longValue(Operand operand, PtxType type) {
    switch (operand) {
      case Operand.Immediate i -> code.loadConstant(extended(i.value(), type));
      case Operand.Symbol s -> address(s.variable());
      case Operand.Register r when r.wide() -> {
        code.lload(slot(r.key()));
        extend(type);
      }
      default -> {
        intValue(operand);
        extendInt(type);
      }
    }
  }

  static long extended(long value, PtxType type) {
    int above = 64 - type.bits;
    return type.signed ? value << above >> above : value << above >>> above;
  }

  /** Cuts the long on the stack to a type and extends it again. */
  void extend(PtxType type) {
    if (!type.wide()) {
      code.l2i();
      extendInt(type);
    }
  }

  private void extendInt(PtxType type) {
    switch (type) {
      case S8 -> code.i2b().i2l();
      case S16 -> code.i2s().i2l();
      case B16, U16 -> code.i2c().i2l();
      case B8, U8 -> code.loadConstant(0xff).iand().i2l();
      case PRED -> code.iconst_1().iand().i2l();
      default -> {
        code.i2l();
        if (!type.signed) {
          code.loadConstant(0xffff_ffffL).land();
        }
      }
    }
  }

  /** Pops an int into a register; a wide one takes it zero-extended. */
  void storeInt(Operand operand) {
    switch (operand) {
      case Operand.Sink ignored -> code.pop();
      case Operand.Register r when r.wide() ->
          code.i2l().loadConstant(0xffff_ffffL).land().lstore(slot(r.key()));
      case Operand.Register r -> code.istore(slot(r.key()));
      default -> throw new IllegalArgumentException("no register: " + operand);
    }
  }

  /** Pops a long into a register, which takes as much of it as it has room for. */
  void storeLong(Operand operand) {
    switch (operand) {
      case Operand.Sink ignored -> code.pop2();
      case Operand.Register r when r.wide() -> code.lstore(slot(r.key()));
      case Operand.Register r -> code.l2i().istore(slot(r.key()));
      default -> throw new IllegalArgumentException("no register: " + operand);
    }
  }

  /** Pushes the address of a variable in its own space. */
  private void address(PtxVariable variable) {
    switch (variable.space) {
      case "local" -> {
        thread();
        code.loadConstant(variable.offset);
        callThread("localAddress", "(J)J");
      }
      case "shared" -> {
        thread();
        code.loadConstant((int) variable.offset);
        callThread("sharedAddress", "(I)J");
      }
      default -> code.loadConstant(variable.offset);
    }
  }

  /** Pushes the address that an operand in brackets means. */
  void address(Operand.Address address) {
    longValue(
        address.base(),
        address.base() instanceof Operand.Register r && !r.wide() ? PtxType.U32 : PtxType.U64);
    if (address.offset() != 0) {
      code.loadConstant(address.offset()).ladd();
    }
  }
}
