package io.cuzk.submit;

/** The exit codes of the command. */
final class ExitCode {
  static final int GOOD = 0;
  static final int USAGE = 2;
  static final int BAD_INPUT = 3;
  static final int PROOF_FAILED = 4;
  static final int INFRASTRUCTURE = 5;
  static final int BUDGET_EXCEEDED = 6;

  private ExitCode() {}
}
