package io.cuzk;

/**
 * A device refused or failed. The kind says what a caller can still do with it: smaller pieces,
 * another device, or nothing before the process is replaced.
 */
public final class DeviceException extends InfrastructureException {
  private static final long serialVersionUID = 1L;

  /** What is left to do. */
  public enum Kind {
    /** The device cannot be used here, or the call was wrong; the device itself is sound. */
    REFUSED,
    /** The device has too little free memory; smaller pieces may fit. */
    OUT_OF_MEMORY,
    /** Another process has the device for itself; it may be free later. */
    BUSY,
    /**
     * The device's context is lost (an illegal address, a failed launch, a broken card): every
     * later call of this process fails too, so that the process must be replaced.
     */
    FATAL
  }

  private final Kind kind;

  /** A failure of a kind with its message. */
  public DeviceException(Kind kind, String message) {
    super(message);
    this.kind = kind;
  }

  /** A failure of a kind with its message and what caused it. */
  public DeviceException(Kind kind, String message, Throwable cause) {
    super(message, cause);
    this.kind = kind;
  }

  /** What is left to do. */
  public Kind kind() {
    return kind;
  }
}
