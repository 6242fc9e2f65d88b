package io.cuzk;

/**
 * A failure that a user can act on. Its kind decides the exit code and whether a retry helps; its
 * message carries the values found and expected and what to do next.
 */
public abstract sealed class CuzkException extends RuntimeException
    permits InvalidInputException, ProofFailedException, InfrastructureException {
  private static final long serialVersionUID = 1L;

  CuzkException(String message, Throwable cause) {
    super(message, cause);
  }

  /** The exit code of the command that ends with this failure. */
  public abstract int exitCode();
}
