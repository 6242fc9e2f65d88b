package io.cuzk.gpu.ptx;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The opcodes that the simulator knows, each with the modifiers whose meaning it knows. */
final class Vocabulary {
  private static final String SPACES = "global shared local const param";
  private static final Map<String, Set<String>> KNOWN = new TreeMap<>();

  static {
    for (String plain :
        List.of(
            "mov", "selp", "div", "rem", "abs", "neg", "min", "max", "not", "and", "or", "xor",
            "shl", "shr", "cvt", "brev", "clz", "popc", "bfind", "bfe", "bfi", "prmt", "lop3",
            "exit", "trap")) {
      put(plain, "");
    }
    for (String carried : List.of("add", "sub", "addc", "subc")) {
      put(carried, "cc");
    }
    put("mul", "lo hi wide");
    put("mad", "lo hi wide cc");
    put("madc", "lo hi cc");
    put("shf", "l r wrap clamp");
    put("setp", "eq ne lt le gt ge lo ls hi hs and or xor");
    put("cvta", "to global shared local const");
    put("ld", SPACES + " nc volatile relaxed acquire weak gpu cta sys v2 v4 ca cg cs lu cv L1 L2");
    put("st", SPACES + " volatile relaxed release weak gpu cta sys v2 v4 wb cg cs wt L1 L2");
    String atomic = "global shared relaxed acquire release acq_rel gpu cta sys";
    put("atom", atomic + " add exch cas and or xor min max inc dec");
    put("red", atomic + " add and or xor min max inc dec");
    put("bar", "sync warp cta");
    put("barrier", "sync cta");
    put("shfl", "sync up down bfly idx");
    put("vote", "sync ballot any all uni");
    put("bra", "uni");
    put("brx", "idx uni");
    put("call", "uni");
    put("ret", "uni");
    put("membar", "gl cta sys");
    put("fence", "acq_rel sc gpu cta sys");
  }

  private Vocabulary() {}

  private static void put(String base, String modifiers) {
    KNOWN.put(base, Set.of(modifiers.isEmpty() ? new String[0] : modifiers.split(" ")));
  }

  /** Refuses what the simulator would not do as a device does it. */
  static void require(Instruction instruction) {
    Set<String> known = KNOWN.get(instruction.base());
    if (known == null) {
      throw instruction.unsupported("this opcode is not known");
    }
    for (String modifier : instruction.modifiers()) {
      if (PtxType.named(modifier) == null && !known.contains(modifier.replaceFirst("::.*", ""))) {
        throw instruction.unsupported("the part ." + modifier + " is not known");
      }
    }
  }

  static Set<String> opcodes() {
    return KNOWN.keySet();
  }
}
