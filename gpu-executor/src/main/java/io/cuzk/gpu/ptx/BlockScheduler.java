package io.cuzk.gpu.ptx;

import java.util.List;

/**
 * Runs the threads of a block one after the other until each waits, then lets those go on whose
 * barrier or warp operation is complete. Finds barriers and warp operations that never complete.
 */
final class BlockScheduler {
  private final ThreadBlock block;

  BlockScheduler(ThreadBlock block) {
    this.block = block;
  }

  /** Runs the block to its end. */
  void run(CompiledFunction kernel, int[] parameters, long mostInstructions) {
    for (SimulatedThread thread : block.threads) {
      thread.start(kernel, parameters, mostInstructions);
    }
    while (true) {
      int ended = 0;
      int waiting = 0;
      for (SimulatedThread thread : block.threads) {
        if (thread.event == SimulatedThread.READY) {
          resume(thread);
        }
        if (thread.event == SimulatedThread.ENDED) {
          ended++;
        } else if (thread.event == SimulatedThread.BARRIER) {
          waiting++;
        }
      }
      if (ended == block.threads.length) {
        return;
      }
      if (warps()) {
        continue;
      }
      if (waiting == 0 || waiting + ended < block.threads.length) {
        throw new SimulatedFault(
            SimulatedFault.Kind.DEADLOCK,
            "block %d: threads wait for each other: %s".formatted(block.number(), block.places()));
      }
      barrier();
    }
  }

  private static void resume(SimulatedThread thread) {
    try {
      thread.resume();
    } catch (SimulatedFault e) {
      CompiledFunction code = thread.frame.code;
      throw new SimulatedFault(
          e.kind(),
          "%s, %s, %s: %s".formatted(code.function.name, code.place(e), thread, e.getMessage()),
          e);
    }
  }

  /** All threads that have not ended wait at a barrier; it must be the same one. */
  private void barrier() {
    Instruction at = null;
    for (SimulatedThread thread : block.threads) {
      if (thread.event == SimulatedThread.BARRIER) {
        requirePlain(thread.at);
        if (at != null && at != thread.at) {
          throw new SimulatedFault(
              SimulatedFault.Kind.DIVERGENT_BARRIER,
              "block %d: threads wait at different barriers: %s"
                  .formatted(block.number(), block.places()));
        }
        at = thread.at;
      }
    }
    block.barrier();
    for (SimulatedThread thread : block.threads) {
      if (thread.event == SimulatedThread.BARRIER) {
        thread.event = SimulatedThread.READY;
      }
    }
  }

  private static void requirePlain(Instruction barrier) {
    boolean plain =
        barrier.operands().size() == 1
            && barrier.operand(0) instanceof Operand.Immediate number
            && number.value() == 0;
    if (!plain) {
      throw barrier.unsupported("only barrier 0 of the whole block is known");
    }
  }

  /** Completes what warp operations it can; says whether there was one. */
  private boolean warps() {
    boolean any = false;
    List<SimulatedThread> threads = List.of(block.threads);
    for (int first = 0; first < threads.size(); first += 32) {
      List<SimulatedThread> warp = threads.subList(first, Math.min(threads.size(), first + 32));
      for (SimulatedThread thread : warp) {
        if (thread.event == SimulatedThread.WARP) {
          any |= new WarpOperation(block, warp, thread.at).complete(thread);
        }
      }
    }
    return any;
  }
}
