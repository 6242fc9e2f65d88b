package io.cuzk.circuit;

import io.cuzk.r1cs.BlankReading;
import io.cuzk.r1cs.Block;
import io.cuzk.r1cs.Circuit;
import io.cuzk.r1cs.LinearCombination;
import io.cuzk.r1cs.Variable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The reading that compiles: a block whose shape is new is recorded as a template, each block
 * becomes an instance. A shape is the block's key and the pattern of its operands: which are
 * constant, negated, bits, numbers, and which are the same variable. Not thread-safe.
 */
final class CircuitCompiler extends BlankReading {
  private record Shape(String key, String pattern, int patternHash) {}

  private final Map<Shape, Integer> known = new HashMap<>();
  private final List<Template> templates = new ArrayList<>();
  private final IntBuffer template = new IntBuffer();
  private final IntBuffer auxBase = new IntBuffer();
  private final IntBuffer inputBase = new IntBuffer();
  private final IntBuffer rowBase = new IntBuffer();
  private final IntBuffer numberBase = new IntBuffer();
  private final IntBuffer wideABase = new IntBuffer();
  private final IntBuffer wideBBase = new IntBuffer();
  private final IntBuffer wireStart = new IntBuffer();
  private final IntBuffer wires = new IntBuffer();
  private final List<Long> hashes = new ArrayList<>();
  private final LooseRow loose = new LooseRow();
  private final OperandPattern pattern = new OperandPattern();
  private long[] isNumber = new long[1 << 10];
  private int rows;
  private int numbers;
  private int wideA;
  private int wideB;

  static CompiledCircuit compile(String name, Circuit circuit) {
    CircuitCompiler compiler = new CircuitCompiler();
    circuit.synthesize(compiler);
    return compiler.finish(name);
  }

  private CompiledCircuit finish(String name) {
    wireStart.add(wires.size());
    Instances instances =
        new Instances(
            template.toArray(),
            auxBase.toArray(),
            inputBase.toArray(),
            rowBase.toArray(),
            numberBase.toArray(),
            wideABase.toArray(),
            wideBBase.toArray(),
            wireStart.toArray(),
            wires.toArray(),
            hashes.stream().mapToLong(Long::longValue).toArray());
    return new CompiledCircuit(
        name,
        inputs,
        aux,
        rows,
        wideA,
        wideB,
        templates.toArray(Template[]::new),
        instances,
        Arrays.copyOf(isNumber, (aux + 63 >>> 6) + 1));
  }

  private void requireRoom(int count) {
    long words = ((long) aux + count >>> 6) + 2;
    if (words > isNumber.length) {
      isNumber = Arrays.copyOf(isNumber, (int) Math.max(words, 2L * isNumber.length));
    }
  }

  @Override
  public int alloc(long[] value, int at) {
    requireRoom(1);
    isNumber[aux >>> 6] |= 1L << aux;
    numbers++;
    return Variable.aux(aux++);
  }

  @Override
  public int allocBit(boolean value) {
    requireRoom(1);
    return Variable.aux(aux++);
  }

  @Override
  public int allocInput(long[] value, int at) {
    throw new IllegalStateException("inputs are allocated in blocks, from auxiliaries");
  }

  @Override
  protected void row(LinearCombination a, LinearCombination b, LinearCombination c) {
    loose.read(a, b, c);
    block(loose.block(a, b, c), loose.operands());
  }

  private boolean isBit(int variable) {
    int i = Variable.index(variable);
    return Variable.isAux(variable) && (isNumber[i >>> 6] >>> i & 1) == 0;
  }

  @Override
  public long[] block(Block block, long[] operands) {
    pattern.read(operands, this::isBit);
    Shape shape = new Shape(block.key(), pattern.text(), pattern.text().hashCode());
    int number = known.computeIfAbsent(shape, s -> record(block, operands));
    Template t = templates.get(number);
    template.add(number);
    auxBase.add(aux);
    inputBase.add(inputs);
    rowBase.add(rows);
    numberBase.add(numbers);
    wideABase.add(wideA);
    wideBBase.add(wideB);
    wireStart.add(wires.size());
    pattern.writeWires(wires);
    hashes.add(Instances.hash(operands, operands.length));
    long[] results = t.results(aux, inputs, operands);
    requireRoom(t.aux);
    if (t.numberMask != null) {
      for (int i = 0; i < t.aux; i += 64) {
        BitRuns.deposit(isNumber, aux + i, Math.min(64, t.aux - i), t.numberMask[i >>> 6]);
      }
    }
    aux = Math.addExact(aux, t.aux);
    inputs += t.inputs;
    rows = Math.addExact(rows, t.rows);
    numbers += t.numbers;
    wideA += t.wideA.length;
    wideB += t.wideB.length;
    return results;
  }

  private int record(Block block, long[] operands) {
    TemplateRecorder recorder = new TemplateRecorder(pattern.bits(), pattern.variables());
    long[] inside = pattern.inside();
    long[] results = recorder.record(block, inside);
    for (int i = 0; i < results.length; i++) {
      results[i] = Template.encode(results[i], recorder.externals, inside);
    }
    templates.add(ProgramWriter.write(block.key(), recorder, pattern.bits(), results));
    return templates.size() - 1;
  }
}
