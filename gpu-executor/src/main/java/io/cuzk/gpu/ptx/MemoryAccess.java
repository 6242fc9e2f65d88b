package io.cuzk.gpu.ptx;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.TypeKind;
import java.lang.constant.ConstantDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.util.List;
import java.util.Set;

/** Bytecode for the instructions that touch memory or turn addresses into each other. */
final class MemoryAccess {
  private static final Set<String> ATOMIC =
      Set.of("add", "exch", "cas", "and", "or", "xor", "min", "max", "inc", "dec");

  private final Emitter emit;
  private final CodeBuilder code;
  private final int at;

  MemoryAccess(Emitter emit) {
    this.emit = emit;
    code = emit.code;
    at = code.allocateLocal(TypeKind.INT);
  }

  /** Emits an instruction; false if it is none of this kind. */
  boolean emit(Instruction i) {
    switch (i.base()) {
      case "ld" -> load(i);
      case "st" -> store(i);
      case "atom", "red" -> atomic(i);
      case "cvta" -> convertAddress(i);
      case "membar", "fence" -> {}
      default -> {
        return false;
      }
    }
    return true;
  }

  private static List<Operand> elements(Instruction i, Operand data) {
    List<Operand> elements = data instanceof Operand.Vector v ? v.elements() : List.of(data);
    int declared = i.has("v2") ? 2 : i.has("v4") ? 4 : 1;
    if (elements.size() != declared) {
      throw i.unsupported(elements.size() + " registers");
    }
    return elements;
  }

  /** Volatile and relaxed accesses are meant to meet those of others. */
  private static boolean ordered(Instruction i) {
    return i.has("volatile") || i.has("relaxed") || i.has("acquire") || i.has("release");
  }

  /** Checks the access; leaves the offset in {@link #at} and the words in the thread. */
  private void check(Instruction i, Operand.Address address, int bytes, boolean write) {
    int space = Spaces.of(i);
    emit.thread();
    if (space == Spaces.PARAM) {
      emit.address(address);
      code.loadConstant(bytes);
      emit.callThread("parameter", "(JI)I");
    } else {
      code.loadConstant(space);
      emit.address(address);
      code.loadConstant(bytes).loadConstant(ordered(i) ? 1 : 0);
      emit.callThread(write ? "write" : "read", "(IJIZ)I");
    }
    code.istore(at);
  }

  private void words(int offset) {
    emit.thread();
    code.getfield(Emitter.THREAD, "words", Emitter.INTS).iload(at);
    if (offset != 0) {
      code.loadConstant(offset).iadd();
    }
  }

  private void callWords(String name, String type) {
    code.invokestatic(Emitter.WORDS, name, MethodTypeDesc.ofDescriptor(type));
  }

  private void load(Instruction i) {
    PtxType type = i.type();
    List<Operand> targets = elements(i, i.operand(0));
    check(i, (Operand.Address) i.operand(1), type.bytes() * targets.size(), false);
    for (int k = 0; k < targets.size(); k++) {
      words(k * type.bytes());
      switch (type.bits) {
        case 64 -> {
          callWords("load64", "([II)J");
          emit.storeLong(targets.get(k));
        }
        case 32 -> {
          code.iconst_2().iushr().iaload();
          if (targets.get(k) instanceof Operand.Register r && r.wide()) {
            code.i2l();
            emit.extend(type);
            emit.storeLong(r);
          } else {
            emit.storeInt(targets.get(k));
          }
        }
        default -> {
          code.loadConstant(type.bits);
          callWords("loadNarrow", "([III)I");
          code.i2l();
          emit.extend(type);
          emit.storeLong(targets.get(k));
        }
      }
    }
  }

  private void store(Instruction i) {
    PtxType type = i.type();
    List<Operand> sources = elements(i, i.operand(1));
    check(i, (Operand.Address) i.operand(0), type.bytes() * sources.size(), true);
    for (int k = 0; k < sources.size(); k++) {
      words(k * type.bytes());
      switch (type.bits) {
        case 64 -> {
          emit.longValue(sources.get(k), type);
          callWords("store64", "([IIJ)V");
        }
        case 32 -> {
          code.iconst_2().iushr();
          emit.intValue(sources.get(k));
          code.iastore();
        }
        default -> {
          code.loadConstant(type.bits);
          emit.intValue(sources.get(k));
          callWords("storeNarrow", "([IIII)V");
        }
      }
    }
  }

  private void atomic(Instruction i) {
    PtxType type = i.type();
    if (type.bits < 32) {
      throw i.unsupported("atomic operations have 32 or 64 bits");
    }
    String operation =
        i.modifiers().stream()
            .filter(ATOMIC::contains)
            .findFirst()
            .orElseThrow(() -> i.unsupported("no operation"));
    int first = i.base().equals("atom") ? 1 : 0;
    emit.thread();
    code.loadConstant(Spaces.of(i)).loadConstant((ConstantDesc) operation);
    code.getstatic(Emitter.TYPE, type.name(), Emitter.TYPE);
    emit.address((Operand.Address) i.operand(first));
    emit.longValue(i.operand(first + 1), type);
    if (i.operands().size() > first + 2) {
      emit.longValue(i.operand(first + 2), type);
    } else {
      code.lconst_0();
    }
    String parameters =
        ConstantDescs.CD_String.descriptorString() + Emitter.TYPE.descriptorString();
    emit.callThread("atomic", "(I" + parameters + "JJJ)J");
    if (first == 1) {
      emit.storeLong(i.operand(0));
    } else {
      code.pop2();
    }
  }

  private void convertAddress(Instruction i) {
    long window =
        switch (i.space()) {
          case "shared" -> SimulatedThread.SHARED_WINDOW;
          case "local" -> SimulatedThread.LOCAL_WINDOW;
          case "global", "const" -> 0;
          default -> throw i.unsupported("no such window");
        };
    emit.longValue(i.operand(1), PtxType.U64);
    if (window != 0) {
      code.loadConstant(window);
      if (i.has("to")) {
        code.lsub();
      } else {
        code.ladd();
      }
    }
    emit.storeLong(i.operand(0));
  }
}
