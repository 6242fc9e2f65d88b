package io.cuzk;

/** A proof was made or given that does not verify. Exit code 4. */
public final class ProofFailedException extends CuzkException {
  private static final long serialVersionUID = 1L;

  /** A failure with its message. */
  public ProofFailedException(String message) {
    super(message, null);
  }

  /** A failure with its message and what caused it. */
  public ProofFailedException(String message, Throwable cause) {
    super(message, cause);
  }

  @Override
  public int exitCode() {
    return 4;
  }
}
