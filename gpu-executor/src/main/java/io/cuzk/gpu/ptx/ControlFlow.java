package io.cuzk.gpu.ptx;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeSet;

/**
 * A function cut into chunks: runs of instructions without a jump into or out of their middle, of
 * bounded length, each of which becomes one JVM method. Says for each which registers others need
 * from it.
 */
final class ControlFlow {
  /**
   * Instructions {@code from} up to {@code to}, and the registers that something behind them reads
   * before it writes them.
   */
  record Chunk(int from, int to, BitSet liveAfter) {}

  private final PtxFunction function;
  private final Effects[] effects;
  private final List<Chunk> chunks = new ArrayList<>();
  private final int[] chunkAt;
  private final BitSet[] liveBefore;

  ControlFlow(PtxFunction function, int longest) {
    this.function = function;
    List<Instruction> code = function.instructions;
    int carryKey = function.carry() << 1 | 1;
    effects = code.stream().map(i -> Effects.of(i, carryKey)).toArray(Effects[]::new);
    TreeSet<Integer> starts = starts(longest);
    int count = starts.size() - 1;
    chunkAt = new int[code.size() + 1];
    liveBefore = new BitSet[count + 1];
    Integer from = null;
    for (int start : starts) {
      chunkAt[start] = chunks.size();
      if (from != null) {
        liveBefore[chunks.size()] = new BitSet();
        chunkAt[start] = chunks.size() + 1;
        chunks.add(new Chunk(from, start, new BitSet()));
      }
      from = start;
    }
    liveBefore[count] = new BitSet();
    findLive();
  }

  private TreeSet<Integer> starts(int longest) {
    List<Instruction> code = function.instructions;
    TreeSet<Integer> starts = new TreeSet<>();
    starts.add(0);
    starts.add(code.size());
    for (int i = 0; i < code.size(); i++) {
      if (code.get(i).endsBlock()) {
        starts.add(i + 1);
        targets(code.get(i)).forEach(label -> starts.add(label.target));
      }
    }
    List<Integer> blocks = List.copyOf(starts);
    for (int b = 0; b + 1 < blocks.size(); b++) {
      for (int i = blocks.get(b) + longest; i < blocks.get(b + 1); i += longest) {
        starts.add(i);
      }
    }
    return starts;
  }

  private List<Operand.Label> targets(Instruction instruction) {
    if (instruction.base().equals("bra")) {
      return List.of((Operand.Label) instruction.operand(0));
    }
    if (instruction.base().equals("brx")) {
      String table = ((Operand.Name) instruction.operand(1)).name();
      List<Operand.Label> targets = function.tables.get(table);
      if (targets == null) {
        throw instruction.unsupported("table " + table + " is nowhere");
      }
      return targets;
    }
    return List.of();
  }

  private void findLive() {
    boolean changed = true;
    while (changed) {
      changed = false;
      for (int c = chunks.size() - 1; c >= 0; c--) {
        Chunk chunk = chunks.get(c);
        Instruction last = function.instructions.get(chunk.to - 1);
        targets(last).forEach(label -> chunk.liveAfter.or(liveBefore[chunkAt[label.target]]));
        boolean never = last.guard() == null && last.endsBlock() && !last.suspends();
        if (!never) {
          chunk.liveAfter.or(liveBefore[c + 1]);
        }
        BitSet live = (BitSet) chunk.liveAfter.clone();
        for (int i = chunk.to - 1; i >= chunk.from; i--) {
          if (function.instructions.get(i).guard() == null) {
            live.andNot(effects[i].writes());
          }
          live.or(effects[i].reads());
        }
        if (!live.equals(liveBefore[c])) {
          liveBefore[c] = live;
          changed = true;
        }
      }
    }
  }

  List<Chunk> chunks() {
    return chunks;
  }

  Effects effects(int instruction) {
    return effects[instruction];
  }

  /** The number of the chunk that starts at an instruction. */
  int chunkAt(int instruction) {
    return chunkAt[instruction];
  }

  List<Integer> targetChunks(Instruction instruction) {
    return targets(instruction).stream().map(label -> chunkAt[label.target]).toList();
  }

  /** Registers that may be read before anything wrote them. */
  BitSet undefined() {
    return liveBefore[0];
  }
}
