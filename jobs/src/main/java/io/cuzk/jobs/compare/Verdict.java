package io.cuzk.jobs.compare;

/** What a comparison says of a phase. */
public enum Verdict {
  /** By more than the minimum effect. */
  SLOWER("slower"),
  /** By more than the minimum effect. */
  FASTER("faster"),
  /** Which does not say that there is none. */
  NO_DIFFERENCE("no difference shown"),
  /** The baseline has no such phase. */
  NEW("not in the baseline"),
  /** Only the baseline has such a phase. */
  GONE("only in the baseline");

  private final String text;

  Verdict(String text) {
    this.text = text;
  }

  /** As it is printed. */
  public String text() {
    return text;
  }
}
