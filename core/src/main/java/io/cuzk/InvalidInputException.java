package io.cuzk;

/**
 * Bad input: a file, key or value that no retry can mend. Exit code 3, or 2 if the command was
 * called wrongly.
 */
public final class InvalidInputException extends CuzkException {
  private static final long serialVersionUID = 1L;

  private final boolean usage;

  /** A failure with its message. */
  public InvalidInputException(String message) {
    this(message, null);
  }

  /** A failure with its message and what caused it. */
  public InvalidInputException(String message, Throwable cause) {
    this(message, cause, false);
  }

  private InvalidInputException(String message, Throwable cause, boolean usage) {
    super(message, cause);
    this.usage = usage;
  }

  /** Options or settings that a command should not have been given together. */
  public static InvalidInputException ofUsage(String message) {
    return new InvalidInputException(message, null, true);
  }

  @Override
  public int exitCode() {
    return usage ? 2 : 3;
  }
}
