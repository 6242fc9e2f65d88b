package io.cuzk.gpu.ptx;

/** Numbers of the address spaces in generated code. */
final class Spaces {
  static final int GENERIC = 0;
  static final int GLOBAL = 1;
  static final int SHARED = 2;
  static final int LOCAL = 3;
  static final int CONST = 4;
  static final int PARAM = 5;

  private Spaces() {}

  static int of(Instruction instruction) {
    return switch (instruction.space()) {
      case "global" -> GLOBAL;
      case "shared" -> SHARED;
      case "local" -> LOCAL;
      case "const" -> CONST;
      case "param" -> PARAM;
      default -> GENERIC;
    };
  }
}
