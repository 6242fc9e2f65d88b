package io.cuzk.gpu.ptx;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Names that one pair of braces declares. */
record PtxScope(
    PtxScope parent,
    Map<String, Operand.Register> registers,
    Map<String, PtxVariable> variables,
    Map<String, Integer> labels,
    List<Operand.Label> references) {
  PtxScope(PtxScope parent) {
    this(parent, new HashMap<>(), new HashMap<>(), new HashMap<>(), new ArrayList<>());
  }

  Operand.Register register(String name) {
    for (PtxScope s = this; s != null; s = s.parent) {
      if (s.registers.containsKey(name)) {
        return s.registers.get(name);
      }
    }
    return null;
  }

  PtxVariable variable(String name) {
    for (PtxScope s = this; s != null; s = s.parent) {
      if (s.variables.containsKey(name)) {
        return s.variables.get(name);
      }
    }
    return null;
  }
}
