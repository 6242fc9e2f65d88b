package io.cuzk.gpu.ptx;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A module on a device: its variables have addresses, its functions are compiled when needed. */
final class LinkedModule {
  private final PtxModule module;
  private final SimulatedMemory global;
  private final SimulatedMemory constant;
  private final List<PtxVariable> sharedVariables = new ArrayList<>();
  private final Map<String, CompiledFunction> compiled = new HashMap<>();
  private final List<String> names;

  /** Constant variables get their addresses here; global ones were given theirs by the device. */
  LinkedModule(PtxModule module, SimulatedMemory global) {
    this.module = module;
    this.global = global;
    names = List.copyOf(module.functions.keySet());
    Set<PtxVariable> shared = new LinkedHashSet<>();
    module.functions.values().forEach(f -> shared.addAll(f.shared));
    for (PtxVariable variable : shared) {
      variable.offset = sharedVariables.size();
      sharedVariables.add(variable);
    }
    constant = constants(module);
  }

  private static SimulatedMemory constants(PtxModule module) {
    List<PtxVariable> variables =
        module.variables.values().stream().filter(v -> v.space.equals("const")).toList();
    int bytes = 0;
    for (PtxVariable variable : variables) {
      bytes = PtxFunction.align(bytes, variable.align);
      variable.offset = SimulatedThread.CONST_WINDOW + bytes;
      bytes += variable.bytes;
    }
    if (bytes > 64 << 10) {
      throw new SimulatedFault(
          SimulatedFault.Kind.LAUNCH,
          module.name + " has " + bytes + " bytes of constants; a device has 65536");
    }
    SimulatedMemory memory =
        new SimulatedMemory("constant", SimulatedThread.CONST_WINDOW, bytes, false);
    for (PtxVariable variable : variables) {
      initialise(memory, variable);
    }
    memory.makeReadOnly();
    return memory;
  }

  /** Gives a variable its content; one without is zero, as CUDA says. */
  static void initialise(SimulatedMemory memory, PtxVariable variable) {
    int offset = (int) (variable.offset - memory.base());
    memory.allocate(offset, variable.bytes);
    for (int b = 0; b < variable.bytes; b++) {
      int value = variable.initial == null ? 0 : variable.initial[b];
      Words.storeNarrow(memory.words, offset + b, 8, value);
    }
    memory.define(offset, variable.bytes);
  }

  PtxModule module() {
    return module;
  }

  SimulatedMemory global() {
    return global;
  }

  SimulatedMemory constant() {
    return constant;
  }

  int count() {
    return names.size();
  }

  /** A function that was compiled with its kernel. */
  CompiledFunction function(String name) {
    return compiled.get(name);
  }

  /** Compiles a kernel and all that it calls. */
  synchronized CompiledFunction prepare(PtxFunction kernel) {
    for (PtxFunction function : module.reached(kernel)) {
      if (!compiled.containsKey(function.name)) {
        CompiledFunction code = PtxCompiler.compile(module, function);
        code.number = names.indexOf(function.name);
        compiled.put(function.name, code);
      }
    }
    return compiled.get(kernel.name);
  }

  private Set<PtxVariable> sharedOf(PtxFunction kernel) {
    Set<PtxVariable> used = new LinkedHashSet<>();
    module.reached(kernel).forEach(f -> used.addAll(f.shared));
    return used;
  }

  int staticSharedBytes(PtxFunction kernel) {
    int bytes = 0;
    int most = 16;
    for (PtxVariable variable : sharedOf(kernel)) {
      bytes = PtxFunction.align(bytes, variable.align) + variable.bytes;
      most = Math.max(most, variable.align);
    }
    return PtxFunction.align(bytes, most);
  }

  /** Static variables one after the other, the dynamic ones behind them at one address. */
  int[] sharedOffsets(PtxFunction kernel) {
    int[] offsets = new int[sharedVariables.size()];
    Arrays.fill(offsets, -1);
    int bytes = 0;
    for (PtxVariable variable : sharedOf(kernel)) {
      if (variable.bytes > 0) {
        bytes = PtxFunction.align(bytes, variable.align);
        offsets[(int) variable.offset] = bytes;
        bytes += variable.bytes;
      } else {
        offsets[(int) variable.offset] = staticSharedBytes(kernel);
      }
    }
    return offsets;
  }
}
