package io.cuzk.gpu.ptx;

import java.util.List;

/** An instruction that lanes of a warp execute together: shuffle, vote, barrier of the warp. */
final class WarpOperation {
  private final ThreadBlock block;
  private final List<SimulatedThread> warp;
  private final Instruction instruction;

  WarpOperation(ThreadBlock block, List<SimulatedThread> warp, Instruction instruction) {
    this.block = block;
    this.warp = warp;
    this.instruction = instruction;
  }

  /** Does the operation that a lane waits at if all lanes that it names have come. */
  boolean complete(SimulatedThread asking) {
    int lane = asking.number & 31;
    int mask = (int) value(asking, instruction.operands().getLast());
    if ((mask >>> lane & 1) == 0) {
      throw fault("lane %d is not in its own mask %08x".formatted(lane, mask));
    }
    for (int k = 0; k < 32; k++) {
      if ((mask >>> k & 1) == 0) {
        continue;
      }
      if (k >= warp.size() || warp.get(k).event == SimulatedThread.ENDED) {
        throw fault("mask %08x names lane %d, which does not run".formatted(mask, k));
      }
      SimulatedThread other = warp.get(k);
      if (other.event != SimulatedThread.WARP || other.at != instruction) {
        return false;
      }
      int its = (int) value(other, instruction.operands().getLast());
      if (its != mask) {
        throw fault("lanes %d and %d give masks %08x and %08x".formatted(lane, k, mask, its));
      }
    }
    switch (instruction.base()) {
      case "shfl" -> shuffle(mask);
      case "vote" -> vote(mask);
      default -> {
        if (mask == -1 >>> (32 - warp.size())) {
          block.warpBarrier(asking.number >>> 5);
        }
      }
    }
    for (int k = 0; k < warp.size(); k++) {
      if ((mask >>> k & 1) != 0) {
        warp.get(k).event = SimulatedThread.READY;
      }
    }
    return true;
  }

  private SimulatedFault fault(String message) {
    return new SimulatedFault(
        SimulatedFault.Kind.SHUFFLE_MASK,
        "block %d, warp %d, %s: %s"
            .formatted(block.number(), warp.getFirst().number >>> 5, instruction, message));
  }

  private static long value(SimulatedThread thread, Operand operand) {
    return switch (operand) {
      case Operand.Immediate i -> i.value();
      case Operand.Register r when r.wide() -> thread.frame.longs[r.index()];
      case Operand.Register r -> thread.frame.ints[r.index()] ^ (r.negated() ? 1 : 0);
      default -> throw new IllegalArgumentException("no value: " + operand);
    };
  }

  private static void set(SimulatedThread thread, Operand operand, int value) {
    if (operand instanceof Operand.Register r) {
      thread.frame.ints[r.index()] = value;
    }
  }

  /** As the PTX ISA has it: operands are value, lane or offset, clamp and segment mask. */
  private void shuffle(int mask) {
    int results = instruction.operands().size() - 4;
    String mode = instruction.modifiers().get(1);
    int[] sources = new int[32];
    int[] values = new int[32];
    boolean[] inside = new boolean[32];
    for (int lane = 0; lane < warp.size(); lane++) {
      SimulatedThread thread = warp.get(lane);
      if ((mask >>> lane & 1) == 0) {
        continue;
      }
      values[lane] = (int) value(thread, instruction.operand(results));
      int by = (int) value(thread, instruction.operand(results + 1)) & 31;
      int control = (int) value(thread, instruction.operand(results + 2));
      int segment = control >>> 8 & 31;
      int clamp = control & 31;
      int most = lane & segment | clamp & ~segment;
      int least = lane & segment;
      int source =
          switch (mode) {
            case "up" -> lane - by;
            case "down" -> lane + by;
            case "bfly" -> lane ^ by;
            case "idx" -> least | by & ~segment;
            default -> throw instruction.unsupported("the mode is not known");
          };
      inside[lane] = mode.equals("up") ? source >= most : source <= most;
      sources[lane] = inside[lane] ? source : lane;
      if ((mask >>> sources[lane] & 1) == 0) {
        throw fault(
            "lane %d reads lane %d, which mask %08x leaves out"
                .formatted(lane, sources[lane], mask));
      }
    }
    for (int lane = 0; lane < warp.size(); lane++) {
      if ((mask >>> lane & 1) != 0) {
        set(warp.get(lane), instruction.operand(0), values[sources[lane]]);
        if (results == 2) {
          set(warp.get(lane), instruction.operand(1), inside[lane] ? 1 : 0);
        }
      }
    }
  }

  private void vote(int mask) {
    int ballot = 0;
    for (int lane = 0; lane < warp.size(); lane++) {
      if ((mask >>> lane & 1) != 0 && value(warp.get(lane), instruction.operand(1)) != 0) {
        ballot |= 1 << lane;
      }
    }
    int result;
    if (instruction.has("ballot")) {
      result = ballot;
    } else if (instruction.has("any")) {
      result = ballot != 0 ? 1 : 0;
    } else if (instruction.has("all")) {
      result = ballot == mask ? 1 : 0;
    } else {
      result = ballot == mask || ballot == 0 ? 1 : 0;
    }
    for (int lane = 0; lane < warp.size(); lane++) {
      if ((mask >>> lane & 1) != 0) {
        set(warp.get(lane), instruction.operand(0), result);
      }
    }
  }
}
