package io.cuzk.gpu.ptx;

/** What the simulator found wrong with a program. */
public final class SimulatedFault extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** The kinds of faults. */
  public enum Kind {
    SYNTAX,
    UNSUPPORTED,
    OUT_OF_BOUNDS,
    MISALIGNED,
    UNINITIALISED,
    READ_ONLY,
    RACE,
    DIVERGENT_BARRIER,
    SHUFFLE_MASK,
    DEADLOCK,
    TRAP,
    ENDLESS,
    LAUNCH
  }

  private final Kind kind;

  SimulatedFault(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  SimulatedFault(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** What kind. */
  public Kind kind() {
    return kind;
  }
}
