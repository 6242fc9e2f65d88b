package io.cuzk.gpu.ptx;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A device that runs PTX: its memory, and launches whose blocks run on several threads of the host.
 * A launch has ended when its call returns.
 */
public final class Simulator {
  /** A loaded module. */
  public static final class Loaded {
    private final LinkedModule linked;

    /** Places of the module's global variables in device memory. */
    private final List<Long> variables = new ArrayList<>();

    private Loaded(LinkedModule linked) {
      this.linked = linked;
    }

    /** The names of its kernels. */
    public Set<String> kernels() {
      return linked.module().kernels();
    }
  }

  /** A grid in x and y, a block in x. */
  public record Shape(int gridX, int gridY, int blockX, int sharedBytes) {}

  private static final int ALIGNMENT = 256;
  private static final int MOST_THREADS = 1024;
  private static final int MOST_SHARED = 227 << 10;

  private final SimulatedMemory memory;
  private final int bytes;
  private final int workers;
  private final boolean races;
  private final TreeMap<Integer, Integer> used = new TreeMap<>();
  private final AtomicLong executed = new AtomicLong();
  private long mostInstructions = 1L << 32;

  /**
   * A device.
   *
   * @param bytes of memory, below 2 GiB
   * @param workers threads of the host
   * @param races whether accesses of different threads are checked against each other
   */
  public Simulator(int bytes, int workers, boolean races) {
    this.bytes = bytes;
    this.workers = workers;
    this.races = races;
    memory = new SimulatedMemory("global", SimulatedThread.GLOBAL_WINDOW, bytes, races);
  }

  /** Sets after how many instructions a thread counts as endless. */
  public void mostInstructions(long most) {
    mostInstructions = most;
  }

  /** Instructions executed so far by all threads. */
  public long executed() {
    return executed.get();
  }

  /** Memory that is not allocated. */
  public synchronized long freeBytes() {
    return bytes - used.values().stream().mapToLong(Integer::longValue).sum();
  }

  /** Allocates memory; -1 if there is no such piece. */
  public synchronized long allocate(long wanted) {
    int from = ALIGNMENT;
    // One unused piece behind each allocation catches what runs over its end.
    long length = Math.ceilDiv(wanted, ALIGNMENT) * ALIGNMENT + ALIGNMENT;
    for (Map.Entry<Integer, Integer> each : used.entrySet()) {
      if (each.getKey() - from >= length) {
        break;
      }
      from = each.getKey() + each.getValue();
    }
    if (length > bytes - from) {
      return -1;
    }
    used.put(from, (int) length);
    memory.allocate(from, (int) wanted);
    return SimulatedThread.GLOBAL_WINDOW + from;
  }

  /** Frees what {@link #allocate} gave. */
  public synchronized void free(long address) {
    int from = (int) (address - SimulatedThread.GLOBAL_WINDOW);
    Integer length = used.remove(from);
    if (length == null) {
      throw new SimulatedFault(
          SimulatedFault.Kind.LAUNCH, "0x%x is not allocated".formatted(address));
    }
    memory.free(from, length);
  }

  /** Copies to the device. */
  public void write(long address, MemorySegment from) {
    int offset = memory.require(address, from.byteSize(), false);
    MemorySegment.copy(from, 0, MemorySegment.ofArray(memory.words), offset, from.byteSize());
    memory.define(offset, from.byteSize());
  }

  /** Copies from the device. */
  public void read(MemorySegment to, long address) {
    int offset = memory.require(address, to.byteSize(), true);
    MemorySegment.copy(MemorySegment.ofArray(memory.words), offset, to, 0, to.byteSize());
  }

  /** Copies within the device. */
  public void copy(long to, long from, long length) {
    int source = memory.require(from, length, true);
    int target = memory.require(to, length, false);
    MemorySegment all = MemorySegment.ofArray(memory.words);
    MemorySegment.copy(all, source, all, target, length);
    memory.define(target, length);
  }

  /** Sets bytes of the device. */
  public void fill(long address, byte value, long length) {
    int offset = memory.require(address, length, false);
    MemorySegment.ofArray(memory.words).asSlice(offset, length).fill(value);
    memory.define(offset, length);
  }

  /** Loads a module: gives its variables memory; kernels are compiled when first launched. */
  public Loaded load(PtxModule module) {
    List<Long> places = new ArrayList<>();
    for (PtxVariable variable : module.variables.values()) {
      if (variable.space.equals("global")) {
        variable.offset = allocate(variable.bytes);
        if (variable.offset < 0) {
          throw new SimulatedFault(
              SimulatedFault.Kind.LAUNCH, variable + " does not fit in device memory");
        }
        LinkedModule.initialise(memory, variable);
        places.add(variable.offset);
      }
    }
    Loaded loaded = new Loaded(new LinkedModule(module, memory));
    loaded.variables.addAll(places);
    return loaded;
  }

  /** Frees the module's variables. */
  public void unload(Loaded loaded) {
    loaded.variables.forEach(this::free);
    loaded.variables.clear();
  }

  /** Refuses a launch that a driver refuses before anything runs. */
  public void require(Loaded loaded, String name, Shape shape, long[] arguments, int[] sizes) {
    PtxFunction kernel = loaded.linked.module().functions.get(name);
    if (kernel == null || !kernel.entry) {
      throw new SimulatedFault(SimulatedFault.Kind.LAUNCH, "there is no kernel " + name);
    }
    parameters(kernel, arguments, sizes);
    requirePossible(loaded, kernel, shape);
  }

  /**
   * Runs a kernel.
   *
   * @param arguments each as its value; one of four bytes is given by its lower half
   * @param sizes 4 or 8 for each
   * @throws SimulatedFault for the first fault that was found
   */
  public synchronized void launch(
      Loaded loaded, String name, Shape shape, long[] arguments, int[] sizes) {
    require(loaded, name, shape, arguments, sizes);
    PtxFunction kernel = loaded.linked.module().functions.get(name);
    int[] parameters = parameters(kernel, arguments, sizes);
    CompiledFunction code = loaded.linked.prepare(kernel);
    memory.forgetAccesses();
    int blocks = shape.gridX * shape.gridY;
    AtomicInteger next = new AtomicInteger();
    AtomicReference<Throwable> failed = new AtomicReference<>();
    Runnable work =
        () -> {
          try {
            run(loaded, code, kernel, shape, parameters, next, blocks);
          } catch (RuntimeException | LinkageError e) {
            failed.compareAndSet(null, e);
            next.set(blocks);
          }
        };
    List<Thread> others = new ArrayList<>();
    for (int w = 1; w < Math.min(workers, blocks); w++) {
      others.add(Thread.ofPlatform().daemon().name("simulated-device-" + w).start(work));
    }
    work.run();
    for (Thread other : others) {
      join(other);
    }
    switch (failed.get()) {
      case null -> {}
      case SimulatedFault fault ->
          throw new SimulatedFault(fault.kind(), fault.getMessage(), fault);
      default -> throw new IllegalStateException(name, failed.get());
    }
  }

  private static void join(Thread thread) {
    boolean interrupted = false;
    while (true) {
      try {
        thread.join();
        break;
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private void run(
      Loaded loaded,
      CompiledFunction code,
      PtxFunction kernel,
      Shape shape,
      int[] parameters,
      AtomicInteger next,
      int blocks) {
    ThreadBlock block =
        new ThreadBlock(
            loaded.linked,
            kernel,
            shape.blockX,
            shape.gridX,
            shape.gridY,
            shape.sharedBytes,
            races);
    BlockScheduler scheduler = new BlockScheduler(block);
    for (int b = next.getAndIncrement(); b < blocks; b = next.getAndIncrement()) {
      block.enter(b % shape.gridX, b / shape.gridX, shape.gridX);
      scheduler.run(code, parameters, mostInstructions);
      long count = 0;
      for (SimulatedThread thread : block.threads) {
        count += mostInstructions - thread.remaining();
      }
      executed.addAndGet(count);
    }
  }

  private static int[] parameters(PtxFunction kernel, long[] arguments, int[] sizes) {
    if (arguments.length != kernel.parameters.size()) {
      throw refused(
          kernel,
          "%d arguments, expected %d".formatted(arguments.length, kernel.parameters.size()));
    }
    int[] words = new int[Math.ceilDiv(kernel.parameterBytes, 4) + 1];
    for (int k = 0; k < arguments.length; k++) {
      PtxVariable variable = kernel.parameters.get(k);
      if (variable.bytes != sizes[k]) {
        throw refused(
            kernel, "argument %d has %d bytes, expected %d".formatted(k, sizes[k], variable.bytes));
      }
      if (sizes[k] == Long.BYTES) {
        Words.store64(words, (int) variable.offset, arguments[k]);
      } else {
        words[(int) variable.offset >>> 2] = (int) arguments[k];
      }
    }
    return words;
  }

  private static void requirePossible(Loaded loaded, PtxFunction kernel, Shape shape) {
    if (shape.gridX < 1 || shape.gridY < 1 || shape.blockX < 1 || shape.gridY > 65535) {
      throw refused(kernel, "a grid or block of no threads, or of too many blocks: " + shape);
    }
    int most = kernel.mostThreads == 0 ? MOST_THREADS : kernel.mostThreads;
    if (shape.blockX > most) {
      throw refused(kernel, shape.blockX + " threads a block, of which it allows " + most);
    }
    int shared = loaded.linked.staticSharedBytes(kernel) + shape.sharedBytes;
    if (shared > MOST_SHARED) {
      throw refused(kernel, shared + " bytes of shared memory, a block has " + MOST_SHARED);
    }
  }

  private static SimulatedFault refused(PtxFunction kernel, String why) {
    return new SimulatedFault(SimulatedFault.Kind.LAUNCH, kernel.name + ": " + why);
  }
}
