package io.cuzk.gpu.ptx;

/** A PTX function as JVM code. Its subclasses are generated. */
abstract class CompiledFunction {
  PtxFunction function;

  /** Its number among the functions of its module. */
  int number;

  /** The first instruction of each chunk. */
  int[] chunkStarts;

  /** What is known of the calls, by instruction. */
  CallSite[] calls;

  CallSite call(int instruction, LinkedModule linked) {
    CallSite site = calls[instruction];
    if (site == null) {
      site = new CallSite(function.instructions.get(instruction), linked);
      calls[instruction] = site;
    }
    return site;
  }

  /**
   * The instruction at which this code threw: a chunk's method is named {@code c} and its number,
   * its lines count instructions.
   */
  Instruction place(Throwable thrown) {
    for (StackTraceElement element : thrown.getStackTrace()) {
      String method = element.getMethodName();
      if (element.getClassName().equals(getClass().getName()) && method.startsWith("c")) {
        int chunk = Integer.parseInt(method.substring(1));
        int line = Math.max(1, element.getLineNumber());
        return function.instructions.get(chunkStarts[chunk] + line - 1);
      }
    }
    return function.instructions.getFirst();
  }

  /**
   * Runs a thread until it meets others, calls, returns or ends.
   *
   * @param chunk where to go on
   * @param ints the thread's registers of up to 32 bits
   * @param longs the thread's registers of 64 bits
   * @return the chunk with which to go on later
   */
  abstract int run(int chunk, SimulatedThread thread, int[] ints, long[] longs);
}
