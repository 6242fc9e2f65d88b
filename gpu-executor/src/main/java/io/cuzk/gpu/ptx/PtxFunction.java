package io.cuzk.gpu.ptx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A kernel or device function as it was read. */
final class PtxFunction {
  final String name;
  final boolean entry;
  final List<PtxVariable> parameters = new ArrayList<>();
  final List<PtxVariable> results = new ArrayList<>();
  final List<Instruction> instructions = new ArrayList<>();

  /** Targets of {@code brx.idx}. */
  final Map<String, List<Operand.Label>> tables = new HashMap<>();

  /** Shared variables of the function or the module that its code names. */
  final Set<PtxVariable> shared = new LinkedHashSet<>();

  /** Functions that it calls. */
  final Set<String> callees = new LinkedHashSet<>();

  /** Its registers by number, for messages. */
  final List<String> intNames = new ArrayList<>();

  final List<String> longNames = new ArrayList<>();

  int parameterBytes;
  int localBytes;

  /** The most threads of a block, 0 if it does not say. */
  int mostThreads;

  PtxFunction(String name, boolean entry) {
    this.name = name;
    this.entry = entry;
  }

  /** The carry flag is the long register after all others. */
  int carry() {
    return longNames.size();
  }

  int ints() {
    return intNames.size();
  }

  int longs() {
    return longNames.size() + 1;
  }

  static int align(int offset, int alignment) {
    return Math.ceilDiv(offset, alignment) * alignment;
  }

  /** Parameters start at whole words, so that calls can copy words. */
  void placeParameter(PtxVariable variable) {
    parameterBytes = align(parameterBytes, Math.max(4, variable.align));
    variable.offset = parameterBytes;
    parameterBytes += variable.bytes;
  }

  void placeLocal(PtxVariable variable) {
    localBytes = align(localBytes, Math.max(8, variable.align));
    variable.offset = localBytes;
    localBytes += variable.bytes;
  }
}
