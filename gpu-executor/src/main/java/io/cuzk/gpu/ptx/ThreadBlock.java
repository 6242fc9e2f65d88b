package io.cuzk.gpu.ptx;

import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;

/** One block of threads with its shared memory; reused for one block after the other. */
final class ThreadBlock {
  final LinkedModule linked;
  final SimulatedThread[] threads;
  final SimulatedMemory shared;

  /** Where each shared variable of the module lies, or -1. */
  final int[] sharedOffsets;

  private final int sharedBytes;
  private final int[] warpEpochs;
  private int epoch;
  private int number;

  ThreadBlock(
      LinkedModule linked,
      PtxFunction kernel,
      int threads,
      int gridX,
      int gridY,
      int dynamicShared,
      boolean logged) {
    this.linked = linked;
    sharedOffsets = linked.sharedOffsets(kernel);
    sharedBytes = linked.staticSharedBytes(kernel) + dynamicShared;
    shared = new SimulatedMemory("shared", 0, sharedBytes, logged);
    warpEpochs = new int[Math.ceilDiv(threads, 32)];
    this.threads = new SimulatedThread[threads];
    int localBytes = linked.module().localBytes(kernel);
    for (int i = 0; i < threads; i++) {
      this.threads[i] =
          new SimulatedThread(this, i, SpecialRegisters.of(i, threads, gridX, gridY), localBytes);
    }
  }

  int number() {
    return number;
  }

  void enter(int x, int y, int gridX) {
    number = y * gridX + x;
    epoch = 0;
    Arrays.fill(warpEpochs, 0);
    shared.allocate(0, sharedBytes);
    shared.forgetAccesses();
    for (SimulatedThread thread : threads) {
      SpecialRegisters.enter(thread.special, x, y);
    }
    stampAll();
  }

  /** All threads have met: what was before is ordered before what follows. */
  void barrier() {
    epoch++;
    stampAll();
  }

  void warpBarrier(int warp) {
    warpEpochs[warp]++;
    stampAll();
  }

  private void stampAll() {
    for (SimulatedThread thread : threads) {
      int warp = thread.number >>> 5;
      thread.stamp = AccessLog.stamp(number, epoch, warpEpochs[warp], thread.number);
    }
  }

  /** Where the threads stand, for messages. */
  Map<String, Integer> places() {
    Map<String, Integer> places = new TreeMap<>();
    for (SimulatedThread thread : threads) {
      String place = thread.event == SimulatedThread.ENDED ? "ended" : "waits at " + thread.at;
      places.merge(place, 1, Integer::sum);
    }
    return places;
  }
}
