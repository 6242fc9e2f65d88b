package io.cuzk;

/** Bad input: a file, key or value that no retry can mend. Exit code 3. */
public final class InvalidInputException extends CuzkException {
  private static final long serialVersionUID = 1L;

  /** A failure with its message. */
  public InvalidInputException(String message) {
    super(message, null);
  }

  /** A failure with its message and what caused it. */
  public InvalidInputException(String message, Throwable cause) {
    super(message, cause);
  }

  @Override
  public int exitCode() {
    return 3;
  }
}
