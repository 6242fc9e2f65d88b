package io.cuzk.gpu.ptx;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;

/** Runs kernels of small PTX texts on a fresh device of 1 MiB. */
final class Rig {
  static final String HEAD = ".version 7.4\n.target sm_75\n.address_size 64\n";

  private final Simulator simulator;
  private final Simulator.Loaded loaded;

  Rig(String ptx) {
    this(ptx, 1);
  }

  Rig(String ptx, int workers) {
    simulator = new Simulator(1 << 20, workers, true);
    simulator.mostInstructions(1 << 20);
    loaded = simulator.load(PtxModule.parse("test", ptx));
  }

  Simulator simulator() {
    return simulator;
  }

  long put(long... values) {
    long address = simulator.allocate(8L * values.length);
    simulator.write(address, MemorySegment.ofArray(values));
    return address;
  }

  long put(int... values) {
    long address = simulator.allocate(4L * values.length);
    simulator.write(address, MemorySegment.ofArray(values));
    return address;
  }

  long room(int bytes) {
    return simulator.allocate(bytes);
  }

  long[] longs(long address, int count) {
    long[] values = new long[count];
    simulator.read(MemorySegment.ofArray(values), address);
    return values;
  }

  int[] ints(long address, int count) {
    int[] values = new int[count];
    simulator.read(MemorySegment.ofArray(values), address);
    return values;
  }

  /** Launches with arguments that are all pointers. */
  void launch(String kernel, int blocks, int threads, int shared, long... pointers) {
    int[] sizes = new int[pointers.length];
    Arrays.fill(sizes, Long.BYTES);
    simulator.launch(
        loaded, kernel, new Simulator.Shape(blocks, 1, threads, shared), pointers, sizes);
  }
}
