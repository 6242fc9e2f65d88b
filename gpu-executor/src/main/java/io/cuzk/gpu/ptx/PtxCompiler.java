package io.cuzk.gpu.ptx;

import java.lang.classfile.Attributes;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.ClassModel;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.attribute.SourceFileAttribute;
import java.lang.classfile.instruction.SwitchCase;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Turns a PTX function into a JVM class. Each chunk of {@link ControlFlow} is a static method that
 * returns the number of the next one; groups of 64 share a switch, so that no method comes near the
 * 8,000 bytes beyond which HotSpot refuses to compile.
 */
final class PtxCompiler {
  private static final int MOST_INSTRUCTIONS = 150;
  private static final int MOST_BYTES = 8000;
  private static final int GROUP = 64;
  private static final AtomicInteger NUMBER = new AtomicInteger();
  private static final ClassDesc PARENT = ClassDesc.of(CompiledFunction.class.getName());
  private static final MethodTypeDesc CHUNK =
      MethodTypeDesc.of(ConstantDescs.CD_int, Emitter.THREAD, Emitter.INTS, Emitter.LONGS);
  private static final MethodTypeDesc RUN =
      MethodTypeDesc.of(
          ConstantDescs.CD_int, ConstantDescs.CD_int, Emitter.THREAD, Emitter.INTS, Emitter.LONGS);

  private final PtxFunction function;
  private final ControlFlow flow;
  private final ClassDesc self;

  private PtxCompiler(PtxFunction function, int longest) {
    this.function = function;
    flow = new ControlFlow(function, longest);
    self =
        ClassDesc.of(
            PtxCompiler.class.getPackageName(),
            "Ptx" + NUMBER.incrementAndGet() + "_" + function.name.replace('$', '_'));
  }

  static CompiledFunction compile(PtxModule module, PtxFunction function) {
    function.instructions.forEach(Vocabulary::require);
    requireDefined(function);
    for (int longest = MOST_INSTRUCTIONS; ; longest /= 2) {
      PtxCompiler compiler = new PtxCompiler(function, longest);
      byte[] bytes = compiler.generate(module);
      if (longestMethod(bytes) <= MOST_BYTES) {
        return compiler.load(bytes);
      }
    }
  }

  private static void requireDefined(PtxFunction function) {
    BitSet undefined = new ControlFlow(function, MOST_INSTRUCTIONS).undefined();
    if (!undefined.isEmpty()) {
      int key = undefined.nextSetBit(0);
      List<String> names = (key & 1) == 0 ? function.intNames : function.longNames;
      String name = key >> 1 < names.size() ? names.get(key >> 1) : "the carry flag";
      throw new SimulatedFault(
          SimulatedFault.Kind.UNINITIALISED,
          "%s: %s may be read before anything was written to it".formatted(function.name, name));
    }
  }

  private static int longestMethod(byte[] bytes) {
    ClassModel model = ClassFile.of().parse(bytes);
    return model.methods().stream()
        .mapToInt(m -> m.findAttribute(Attributes.code()).orElseThrow().codeLength())
        .max()
        .orElseThrow();
  }

  private CompiledFunction load(byte[] bytes) {
    try {
      CompiledFunction code =
          (CompiledFunction)
              MethodHandles.lookup().defineClass(bytes).getDeclaredConstructor().newInstance();
      code.function = function;
      code.calls = new CallSite[function.instructions.size()];
      code.chunkStarts = flow.chunks().stream().mapToInt(ControlFlow.Chunk::from).toArray();
      return code;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("generated code of " + function.name, e);
    }
  }

  private byte[] generate(PtxModule module) {
    // Class files of version 49 need no stack maps, which would cost more than all the rest.
    return ClassFile.of()
        .build(
            self,
            builder -> {
              builder.withVersion(ClassFile.JAVA_5_VERSION, 0);
              builder.withSuperclass(PARENT);
              builder.with(SourceFileAttribute.of(module.name + ".ptx"));
              builder.withMethodBody(
                  ConstantDescs.INIT_NAME,
                  ConstantDescs.MTD_void,
                  0,
                  code ->
                      code.aload(0)
                          .invokespecial(PARENT, ConstantDescs.INIT_NAME, ConstantDescs.MTD_void)
                          .return_());
              int count = flow.chunks().size();
              run(builder, Math.ceilDiv(count, GROUP));
              for (int g = 0; g * GROUP < count; g++) {
                group(builder, g * GROUP, Math.min(count, (g + 1) * GROUP));
              }
              for (int c = 0; c < count; c++) {
                ControlFlow.Chunk chunk = flow.chunks().get(c);
                builder.withMethodBody(
                    "c" + c, CHUNK, ClassFile.ACC_STATIC, code -> chunk(code, chunk));
              }
            });
  }

  /** {@code do chunk = group(chunk) while the thread is ready}. */
  private void run(ClassBuilder builder, int groups) {
    builder.withMethodBody(
        "run",
        RUN,
        0,
        code -> {
          Label top = code.newBoundLabel();
          Label join = code.newLabel();
          Label none = code.newLabel();
          List<SwitchCase> cases = cases(code, 0, groups);
          code.iload(1).loadConstant(6).iushr().tableswitch(0, groups - 1, none, cases);
          for (SwitchCase each : cases) {
            code.labelBinding(each.target()).iload(1).aload(2).aload(3).aload(4);
            code.invokestatic(self, "g" + each.caseValue(), RUN).goto_(join);
          }
          code.labelBinding(none).iconst_m1().ireturn();
          code.labelBinding(join).istore(1).aload(2);
          code.getfield(Emitter.THREAD, "event", ConstantDescs.CD_int).ifeq(top);
          code.iload(1).ireturn();
        });
  }

  private void group(ClassBuilder builder, int from, int to) {
    builder.withMethodBody(
        "g" + from / GROUP,
        RUN,
        ClassFile.ACC_STATIC,
        code -> {
          Label none = code.newLabel();
          List<SwitchCase> cases = cases(code, from, to);
          code.iload(0).tableswitch(from, to - 1, none, cases);
          for (SwitchCase each : cases) {
            code.labelBinding(each.target()).aload(1).aload(2).aload(3);
            code.invokestatic(self, "c" + each.caseValue(), CHUNK).ireturn();
          }
          code.labelBinding(none).iconst_m1().ireturn();
        });
  }

  private static List<SwitchCase> cases(CodeBuilder code, int from, int to) {
    List<SwitchCase> cases = new ArrayList<>();
    for (int k = from; k < to; k++) {
      cases.add(SwitchCase.of(k, code.newLabel()));
    }
    return cases;
  }

  private void chunk(CodeBuilder code, ControlFlow.Chunk chunk) {
    Emitter emit = new Emitter(code, function);
    Arithmetic arithmetic = new Arithmetic(emit);
    MemoryAccess memory = new MemoryAccess(emit);
    Instruction last = function.instructions.get(chunk.to() - 1);
    BitSet needed = new BitSet();
    BitSet written = new BitSet();
    for (int i = chunk.from(); i < chunk.to(); i++) {
      Effects effects = flow.effects(i);
      boolean conditional = function.instructions.get(i).guard() != null;
      boolean elsewhere = i == chunk.to() - 1 && last.suspends();
      BitSet before = (BitSet) effects.reads().clone();
      if (conditional && !elsewhere) {
        before.or(effects.writes());
      }
      before.andNot(written);
      needed.or(before);
      if (!elsewhere) {
        written.or(effects.writes());
      }
    }
    needed.stream().forEach(emit::fetch);
    Label top = code.newBoundLabel();
    emit.thread();
    code.loadConstant(chunk.to() - chunk.from());
    emit.callThread("spend", "(I)V");
    BitSet wanted = (BitSet) chunk.liveAfter().clone();
    if (last.suspends()) {
      wanted.or(flow.effects(chunk.to() - 1).reads());
    }
    written.and(wanted);
    for (int i = chunk.from(); i < chunk.to(); i++) {
      // The place within the chunk: line numbers of a class file end at 65535.
      code.lineNumber(i - chunk.from() + 1);
      Instruction instruction = function.instructions.get(i);
      if (instruction.endsBlock()) {
        end(emit, chunk, instruction, i, written, top);
        return;
      }
      Label after = code.newLabel();
      if (instruction.guard() != null) {
        emit.predicate(instruction.guard());
        code.ifeq(after);
      }
      if (!arithmetic.emit(instruction) && !memory.emit(instruction)) {
        throw instruction.unsupported("no code for this opcode");
      }
      code.labelBinding(after);
    }
    written.stream().forEach(emit::keep);
    leave(code, flow.chunkAt(chunk.to()));
  }

  private static void leave(CodeBuilder code, int next) {
    code.loadConstant(next).ireturn();
  }

  private void end(
      Emitter emit,
      ControlFlow.Chunk chunk,
      Instruction instruction,
      int index,
      BitSet written,
      Label top) {
    CodeBuilder code = emit.code;
    int next = flow.chunkAt(index + 1);
    // A loop of one chunk stays in its method, its registers in locals.
    boolean loop =
        instruction.base().equals("bra")
            && ((Operand.Label) instruction.operand(0)).target == chunk.from();
    if (loop) {
      if (instruction.guard() == null) {
        code.goto_(top);
      } else {
        emit.predicate(instruction.guard());
        code.ifne(top);
        written.stream().forEach(emit::keep);
        leave(code, next);
      }
      return;
    }
    written.stream().forEach(emit::keep);
    Label not = code.newLabel();
    if (instruction.guard() != null) {
      emit.predicate(instruction.guard());
      code.ifeq(not);
    }
    switch (instruction.base()) {
      case "bra" -> leave(code, flow.targetChunks(instruction).getFirst());
      case "brx" -> table(emit, instruction);
      case "ret" -> stop(emit, SimulatedThread.RETURN, index, 0);
      case "exit" -> stop(emit, SimulatedThread.ENDED, index, 0);
      case "trap" -> {
        emit.thread();
        emit.callThread("trap", "()V");
        leave(code, 0);
      }
      case "call" -> stop(emit, SimulatedThread.CALL, index, next);
      default -> {
        boolean block = instruction.base().startsWith("bar") && !instruction.has("warp");
        stop(emit, block ? SimulatedThread.BARRIER : SimulatedThread.WARP, index, next);
      }
    }
    code.labelBinding(not);
    if (instruction.guard() != null) {
      leave(code, next);
    }
  }

  private static void stop(Emitter emit, int why, int index, int next) {
    emit.thread();
    emit.code.loadConstant(why).loadConstant(index);
    emit.callThread("suspend", "(II)V");
    leave(emit.code, next);
  }

  private void table(Emitter emit, Instruction instruction) {
    CodeBuilder code = emit.code;
    List<Integer> targets = flow.targetChunks(instruction);
    List<SwitchCase> cases = cases(code, 0, targets.size());
    Label none = code.newLabel();
    emit.intValue(instruction.operand(0));
    code.tableswitch(0, targets.size() - 1, none, cases);
    for (SwitchCase each : cases) {
      code.labelBinding(each.target());
      leave(code, targets.get(each.caseValue()));
    }
    code.labelBinding(none);
    emit.thread();
    emit.callThread("trap", "()V");
    leave(code, 0);
  }
}
