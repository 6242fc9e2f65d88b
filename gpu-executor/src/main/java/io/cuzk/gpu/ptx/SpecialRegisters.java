package io.cuzk.gpu.ptx;

import java.util.List;

/** The registers through which a thread knows where it is. */
final class SpecialRegisters {
  /** In the order in which a thread holds them. */
  static final List<String> NAMES =
      List.of(
          "%tid.x",
          "%tid.y",
          "%tid.z",
          "%ntid.x",
          "%ntid.y",
          "%ntid.z",
          "%ctaid.x",
          "%ctaid.y",
          "%ctaid.z",
          "%nctaid.x",
          "%nctaid.y",
          "%nctaid.z",
          "%laneid",
          "%warpid",
          "%lanemask_eq",
          "%lanemask_lt",
          "%lanemask_le",
          "%lanemask_gt",
          "%lanemask_ge");

  private static final int BLOCK_X = NAMES.indexOf("%ctaid.x");

  private SpecialRegisters() {}

  /** Those of a thread in a row of {@code threads}, the block still unset. */
  static int[] of(int thread, int threads, int gridX, int gridY) {
    int lane = thread & 31;
    int eq = 1 << lane;
    return new int[] {
      thread,
      0,
      0,
      threads,
      1,
      1,
      0,
      0,
      0,
      gridX,
      gridY,
      1,
      lane,
      thread >>> 5,
      eq,
      eq - 1,
      eq | (eq - 1),
      -eq & ~eq,
      -eq
    };
  }

  static void enter(int[] registers, int blockX, int blockY) {
    registers[BLOCK_X] = blockX;
    registers[BLOCK_X + 1] = blockY;
  }
}
