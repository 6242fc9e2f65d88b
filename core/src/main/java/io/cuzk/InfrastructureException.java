package io.cuzk;

/** No device, no cluster, no space, no permission: the input may be good. Exit code 5. */
public sealed class InfrastructureException extends CuzkException permits DeviceException {
  private static final long serialVersionUID = 1L;

  /** A failure with its message. */
  public InfrastructureException(String message) {
    super(message, null);
  }

  /** A failure with its message and what caused it. */
  public InfrastructureException(String message, Throwable cause) {
    super(message, cause);
  }

  @Override
  public final int exitCode() {
    return 5;
  }
}
