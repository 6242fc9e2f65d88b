package io.cuzk.gpu.ptx;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** A PTX text as it was read: variables and functions. */
public final class PtxModule {
  final String name;
  String version = "";
  String target = "";
  final Map<String, PtxVariable> variables = new LinkedHashMap<>();
  final Map<String, PtxFunction> functions = new LinkedHashMap<>();

  PtxModule(String name) {
    this.name = name;
  }

  /**
   * Reads a text.
   *
   * @param name for messages
   * @throws SimulatedFault with the line of what is not understood
   */
  public static PtxModule parse(String name, String text) {
    return new PtxParser(name, text).module();
  }

  /** The names of the kernels. */
  public Set<String> kernels() {
    Set<String> names = new LinkedHashSet<>();
    functions.values().stream().filter(f -> f.entry).forEach(f -> names.add(f.name));
    return names;
  }

  /** A function and all that it calls. */
  Set<PtxFunction> reached(PtxFunction from) {
    Set<PtxFunction> found = new LinkedHashSet<>();
    Deque<PtxFunction> open = new ArrayDeque<>();
    open.add(from);
    while (!open.isEmpty()) {
      PtxFunction function = open.poll();
      if (found.add(function)) {
        function.callees.forEach(callee -> open.add(called(function, callee)));
      }
    }
    return found;
  }

  private PtxFunction called(PtxFunction by, String name) {
    PtxFunction function = functions.get(name);
    if (function == null) {
      throw new SimulatedFault(
          SimulatedFault.Kind.UNSUPPORTED, by.name + " calls " + name + ", which has no body");
    }
    return function;
  }

  /** Local memory that a thread needs at most below a function; recursion is refused. */
  int localBytes(PtxFunction function) {
    return localBytes(function, new LinkedHashSet<>());
  }

  private int localBytes(PtxFunction function, Set<PtxFunction> callers) {
    if (!callers.add(function)) {
      throw new SimulatedFault(SimulatedFault.Kind.UNSUPPORTED, function.name + " calls itself");
    }
    int deepest = 0;
    for (String callee : function.callees) {
      deepest = Math.max(deepest, localBytes(called(function, callee), callers));
    }
    callers.remove(function);
    return PtxFunction.align(function.localBytes, 16) + deepest;
  }
}
