package io.cuzk.gpu.ptx;

import java.util.ArrayDeque;
import java.util.Deque;

/** One CUDA thread: an object that runs until it has to wait. Its methods serve generated code. */
final class SimulatedThread {
  /** Why a thread stopped. */
  static final int READY = 0;

  static final int BARRIER = 1;
  static final int WARP = 2;
  static final int ENDED = 3;
  static final int CALL = 4;
  static final int RETURN = 5;

  /** The windows of other memories among generic addresses. */
  static final long SHARED_WINDOW = 0x1000_0000L;

  static final long LOCAL_WINDOW = 0x2000_0000L;
  static final long CONST_WINDOW = 0x3000_0000L;
  static final long GLOBAL_WINDOW = 0x7_0000_0000L;

  /** One call of a function. */
  static final class Frame {
    final CompiledFunction code;
    final int[] ints;
    final long[] longs;
    final int[] parameters;
    int chunk;
    int localBase;
    Frame caller;
    CallSite site;

    Frame(CompiledFunction code) {
      this.code = code;
      ints = new int[code.function.ints()];
      longs = new long[code.function.longs()];
      parameters = new int[Math.ceilDiv(code.function.parameterBytes, 4) + 1];
    }
  }

  final ThreadBlock block;
  final int number;
  final int[] special;
  int event;
  Instruction at;
  private int atIndex;
  Frame frame;
  long stamp;

  /** Words of the memory that was checked last. */
  int[] words;

  private final SimulatedMemory global;
  private final SimulatedMemory constant;
  private final SimulatedMemory local;
  private final Deque<Frame>[] spare;
  private int localTop;
  private long remaining;

  @SuppressWarnings({"unchecked", "rawtypes"})
  SimulatedThread(ThreadBlock block, int number, int[] special, int localBytes) {
    this.block = block;
    this.number = number;
    this.special = special;
    global = block.linked.global();
    constant = block.linked.constant();
    local = new SimulatedMemory("local", 0, localBytes, false);
    spare = new ArrayDeque[block.linked.count()];
  }

  void start(CompiledFunction entry, int[] parameters, long mostInstructions) {
    frame = null;
    localTop = 0;
    event = READY;
    remaining = mostInstructions;
    push(entry);
    System.arraycopy(parameters, 0, frame.parameters, 0, parameters.length);
  }

  private void push(CompiledFunction code) {
    if (spare[code.number] == null) {
      spare[code.number] = new ArrayDeque<>();
    }
    Frame free = spare[code.number].poll();
    Frame next = free == null ? new Frame(code) : free;
    next.chunk = 0;
    next.caller = frame;
    next.localBase = localTop;
    local.allocate(localTop, code.function.localBytes);
    localTop += PtxFunction.align(code.function.localBytes, 16);
    frame = next;
  }

  /** Runs until the thread meets others or ends. */
  void resume() {
    event = READY;
    while (true) {
      Frame f = frame;
      f.chunk = f.code.run(f.chunk, this, f.ints, f.longs);
      switch (event) {
        case CALL -> {
          call();
          event = READY;
        }
        case RETURN -> {
          if (frame.caller == null) {
            spare[frame.code.number].push(frame);
            event = ENDED;
            return;
          }
          giveBack();
          event = READY;
        }
        default -> {
          return;
        }
      }
    }
  }

  private void call() {
    Frame caller = frame;
    CallSite site = caller.code.call(atIndex, block.linked);
    push(site.callee);
    frame.site = site;
    site.pass(caller.parameters, frame.parameters);
  }

  private void giveBack() {
    Frame ended = frame;
    frame = ended.caller;
    localTop = ended.localBase;
    ended.site.giveBack(frame.parameters, ended.parameters);
    spare[ended.code.number].push(ended);
  }

  /** Called by generated code: the thread waits at an instruction. */
  void suspend(int why, int instruction) {
    event = why;
    atIndex = instruction;
    at = frame.code.function.instructions.get(instruction);
  }

  /** Called by generated code at the start of each chunk. */
  void spend(int instructions) {
    remaining -= instructions;
    if (remaining < 0) {
      throw new SimulatedFault(SimulatedFault.Kind.ENDLESS, this + " runs on and on");
    }
  }

  long remaining() {
    return remaining;
  }

  /** Called by generated code at {@code trap}. */
  void trap() {
    throw new SimulatedFault(SimulatedFault.Kind.TRAP, this + " met a trap");
  }

  long localAddress(long offset) {
    return frame.localBase + offset;
  }

  long sharedAddress(int variable) {
    return block.sharedOffsets[variable];
  }

  private SimulatedMemory generic(long address) {
    return address >= GLOBAL_WINDOW
        ? global
        : address >= CONST_WINDOW ? constant : address >= LOCAL_WINDOW ? local : block.shared;
  }

  private static long inGeneric(long address) {
    return address >= CONST_WINDOW
        ? address
        : address >= LOCAL_WINDOW ? address - LOCAL_WINDOW : address - SHARED_WINDOW;
  }

  private SimulatedMemory space(int space) {
    return switch (space) {
      case Spaces.GLOBAL -> global;
      case Spaces.SHARED -> block.shared;
      case Spaces.LOCAL -> local;
      default -> constant;
    };
  }

  /** Called by generated code: checks a read; the words are in {@link #words}. */
  int read(int space, long address, int bytes, boolean ordered) {
    SimulatedMemory memory = space == Spaces.GENERIC ? generic(address) : space(space);
    words = memory.words;
    long inside = space == Spaces.GENERIC ? inGeneric(address) : address;
    return memory.read(inside, bytes, this, ordered);
  }

  /** Called by generated code: checks a write; the words are in {@link #words}. */
  int write(int space, long address, int bytes, boolean ordered) {
    SimulatedMemory memory = space == Spaces.GENERIC ? generic(address) : space(space);
    words = memory.words;
    long inside = space == Spaces.GENERIC ? inGeneric(address) : address;
    return memory.write(inside, bytes, this, ordered);
  }

  /** Called by generated code: checks an access to the frame's parameters. */
  int parameter(long address, int bytes) {
    words = frame.parameters;
    if (address < 0 || address + bytes > frame.code.function.parameterBytes) {
      throw new SimulatedFault(
          SimulatedFault.Kind.OUT_OF_BOUNDS,
          "%d bytes of parameters at 0x%x of %d"
              .formatted(bytes, address, frame.code.function.parameterBytes));
    }
    return (int) address;
  }

  /** Called by generated code: an atomic update. */
  long atomic(int space, String operation, PtxType type, long address, long x, long y) {
    SimulatedMemory memory = space == Spaces.GENERIC ? generic(address) : space(space);
    long inside = space == Spaces.GENERIC ? inGeneric(address) : address;
    return memory.atomic(operation, type, inside, x, y, this);
  }

  @Override
  public String toString() {
    return "thread %d of block %d".formatted(number, block.number());
  }
}
