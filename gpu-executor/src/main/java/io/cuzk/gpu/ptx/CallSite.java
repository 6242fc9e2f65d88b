package io.cuzk.gpu.ptx;

import java.util.List;

/** A call: which function, and which words of parameters go there and come back. */
final class CallSite {
  final CompiledFunction callee;

  /** Pairs of a word of the caller's parameters and one of the called function's. */
  private final int[] arguments;

  private final int[] results;

  CallSite(Instruction call, LinkedModule linked) {
    callee = linked.function(((Operand.Name) call.operand(0)).name());
    results = words(call, (Operand.Vector) call.operand(1), callee.function.results);
    arguments = words(call, (Operand.Vector) call.operand(2), callee.function.parameters);
  }

  private static int[] words(Instruction call, Operand.Vector named, List<PtxVariable> declared) {
    if (named.elements().size() != declared.size()) {
      throw call.unsupported(
          "%d parameters, declared are %d".formatted(named.elements().size(), declared.size()));
    }
    int count = declared.stream().mapToInt(v -> Math.ceilDiv(v.bytes, 4)).sum();
    int[] pairs = new int[2 * count];
    int at = 0;
    for (int k = 0; k < declared.size(); k++) {
      PtxVariable outer = ((Operand.Symbol) named.elements().get(k)).variable();
      PtxVariable inner = declared.get(k);
      if (outer.bytes != inner.bytes) {
        throw call.unsupported(
            "%s has %d bytes, declared are %d".formatted(outer, outer.bytes, inner.bytes));
      }
      for (int w = 0; w < Math.ceilDiv(inner.bytes, 4); w++) {
        pairs[at++] = (int) (outer.offset >>> 2) + w;
        pairs[at++] = (int) (inner.offset >>> 2) + w;
      }
    }
    return pairs;
  }

  void pass(int[] caller, int[] called) {
    for (int i = 0; i < arguments.length; i += 2) {
      called[arguments[i + 1]] = caller[arguments[i]];
    }
  }

  void giveBack(int[] caller, int[] called) {
    for (int i = 0; i < results.length; i += 2) {
      caller[results[i]] = called[results[i + 1]];
    }
  }
}
