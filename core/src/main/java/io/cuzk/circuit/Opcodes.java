package io.cuzk.circuit;

/**
 * The instructions of a witness program, ints one after the other. Bits and numbers are those of a
 * template's scratch. <em>Runs</em> are a count and for each three ints: start, {@link
 * BitRuns#info}, exponent or place. <em>Constants</em> are places in the template's table or one of
 * the values below.
 */
final class Opcodes {
  /** {@link #TABLE} lanes k table word×k runs: bits as a function of k ≤ 4 bits each, 64 lanes. */
  static final int TABLE = 0;

  /** SUM constant(2 ints) runs runs runs: constant + Σ − Σ below 2^63, whose bits are put. */
  static final int SUM = 1;

  /** SPLIT form runs: the canonical number, whose bits are put. */
  static final int SPLIT = 2;

  /** ROW row mode target inverse wideA wideB form form form. */
  static final int ROW = 3;

  /** A row's values are kept only. */
  static final int EVALUATE = 0;

  /** A row must hold. */
  static final int CHECK = 1;

  /** A row's C without its target gives the target: (A·B − C)·inverse. */
  static final int SOLVE_C = 2;

  /** B is one: (C − A)·inverse. */
  static final int SOLVE_A = 3;

  /** Form: 0. */
  static final int ZERO = 0;

  /** Form: 1. */
  static final int ONE = 1;

  /** Form: a number, whose place follows. */
  static final int NUMBER = 2;

  /** Form: a bit, whose place follows. */
  static final int BIT = 3;

  /**
   * Form: constant or −1; n, place of n coefficients, n numbers; runs added; runs subtracted; n and
   * (bit, coefficient) each.
   */
  static final int SUM_OF_TERMS = 4;

  /** Instead of an inverse: 1. */
  static final int PLUS = -1;

  /** Instead of an inverse: −1. */
  static final int MINUS = -2;

  private Opcodes() {}
}
