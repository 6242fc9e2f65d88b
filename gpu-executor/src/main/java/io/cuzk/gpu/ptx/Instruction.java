package io.cuzk.gpu.ptx;

import java.util.List;
import java.util.Set;

/**
 * One instruction of PTX.
 *
 * @param opcode in full, such as {@code mad.lo.cc.u32}
 * @param base the part before the first dot
 * @param modifiers the other parts
 * @param type the first of the modifiers that is a type, or null
 * @param guard the predicate under which it runs, or null
 * @param operands in the order written
 */
record Instruction(
    int line,
    String opcode,
    String base,
    List<String> modifiers,
    PtxType type,
    Operand.Register guard,
    List<Operand> operands) {
  private static final Set<String> SPACES = Set.of("global", "shared", "local", "param", "const");

  boolean has(String modifier) {
    return modifiers.contains(modifier);
  }

  Operand operand(int index) {
    return operands.get(index);
  }

  /** The memory that it names; {@code generic} if none. */
  String space() {
    return modifiers.stream()
        .map(m -> m.replaceFirst("::.*", ""))
        .filter(SPACES::contains)
        .findFirst()
        .orElse("generic");
  }

  /** Whether the threads of a block or warp meet here, or another function runs. */
  boolean suspends() {
    return switch (base) {
      case "bar", "barrier", "shfl", "vote", "call" -> true;
      default -> false;
    };
  }

  /** Whether what follows in the text need not follow in time. */
  boolean endsBlock() {
    return suspends()
        || switch (base) {
          case "bra", "brx", "ret", "exit", "trap" -> true;
          default -> false;
        };
  }

  boolean readsCarry() {
    return base.equals("addc") || base.equals("subc") || base.equals("madc");
  }

  boolean writesCarry() {
    return has("cc");
  }

  SimulatedFault unsupported(String why) {
    return new SimulatedFault(
        SimulatedFault.Kind.UNSUPPORTED, "line %d: %s: %s".formatted(line, opcode, why));
  }

  @Override
  public String toString() {
    return "line " + line + ": " + opcode;
  }
}
