package io.cuzk.gpu;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SymbolLookup;
import java.lang.invoke.MethodHandle;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * NVIDIA's management library, as far as a record of a device needs it. It comes with the driver;
 * where it is absent or silent, proofs run all the same and the record says why it knows less.
 */
public final class Nvml implements AutoCloseable {
  /**
   * What the library says of a device now; empty where it does not know.
   *
   * @param name of the card
   * @param driver version of the driver
   * @param totalBytes memory of the device
   * @param usedBytes of it in use, by all processes
   * @param clockMhz of the multiprocessors
   * @param memoryClockMhz of the memory
   * @param celsius temperature of the chip
   * @param milliwatts power drawn
   * @param uncorrectedErrors of the memory since the machine started
   */
  public record Reading(
      String name,
      String driver,
      OptionalLong totalBytes,
      OptionalLong usedBytes,
      OptionalLong clockMhz,
      OptionalLong memoryClockMhz,
      OptionalLong celsius,
      OptionalLong milliwatts,
      OptionalLong uncorrectedErrors) {}

  /** The library, or why there is none. */
  public record Opened(Nvml library, String missing) implements AutoCloseable {
    /** What it says of a device; empty without the library or if it does not know the device. */
    public Optional<Reading> read(String uuid) {
      return library == null ? Optional.empty() : library.device(uuid);
    }

    @Override
    public void close() {
      if (library != null) {
        library.close();
      }
    }
  }

  private static final String LIBRARY = "libnvidia-ml.so.1";
  private static final int TEXT_BYTES = 96;
  private static final int SM_CLOCK = 1;
  private static final int MEMORY_CLOCK = 2;
  private static final int CHIP = 0;
  private static final int UNCORRECTED = 1;
  private static final int SINCE_START = 0;

  private final SymbolLookup symbols;

  private Nvml(SymbolLookup symbols) {
    this.symbols = symbols;
  }

  /** Opens the library of this machine. */
  public static Opened open() {
    return open(LIBRARY);
  }

  /** Opens a library by its file or name. */
  static Opened open(String library) {
    try {
      // Never unloaded: another part of the process may be using it.
      Nvml nvml = new Nvml(SymbolLookup.libraryLookup(library, Arena.global()));
      int result = nvml.call("nvmlInit_v2");
      if (result == 0) {
        return new Opened(nvml, "");
      }
      return new Opened(null, library + ": nvmlInit: " + nvml.text(result));
    } catch (IllegalArgumentException e) {
      return new Opened(null, library + " is not on the library path; it comes with the driver");
    }
  }

  /** What the library says of the device with that UUID; empty if it does not know it. */
  private Optional<Reading> device(String uuid) {
    try (Arena call = Arena.ofConfined()) {
      MemorySegment handle = call.allocate(ADDRESS);
      if (call("nvmlDeviceGetHandleByUUID", call.allocateFrom(uuid), handle) != 0) {
        return Optional.empty();
      }
      MemorySegment device = handle.get(ADDRESS, 0);
      MemorySegment memory = call.allocate(MemoryLayout.sequenceLayout(3, JAVA_LONG));
      boolean known = call("nvmlDeviceGetMemoryInfo", device, memory) == 0;
      MemorySegment text = call.allocate(TEXT_BYTES);
      String name =
          call("nvmlDeviceGetName", device, text, TEXT_BYTES) == 0 ? text.getString(0) : "";
      text.fill((byte) 0);
      String driver =
          call("nvmlSystemGetDriverVersion", text, TEXT_BYTES) == 0 ? text.getString(0) : "";
      return Optional.of(
          new Reading(
              name,
              driver,
              known ? OptionalLong.of(memory.getAtIndex(JAVA_LONG, 0)) : OptionalLong.empty(),
              known ? OptionalLong.of(memory.getAtIndex(JAVA_LONG, 2)) : OptionalLong.empty(),
              number(call, "nvmlDeviceGetClockInfo", device, SM_CLOCK),
              number(call, "nvmlDeviceGetClockInfo", device, MEMORY_CLOCK),
              number(call, "nvmlDeviceGetTemperature", device, CHIP),
              number(call, "nvmlDeviceGetPowerUsage", device),
              number(call, "nvmlDeviceGetTotalEccErrors", device, UNCORRECTED, SINCE_START)));
    }
  }

  /** A number that a function writes behind its arguments; zero-extended if it has 32 bits. */
  private OptionalLong number(Arena call, String function, Object... arguments) {
    MemorySegment value = call.allocate(JAVA_LONG);
    Object[] all = Arrays.copyOf(arguments, arguments.length + 1);
    all[arguments.length] = value;
    return call(function, all) == 0
        ? OptionalLong.of(value.get(JAVA_LONG, 0))
        : OptionalLong.empty();
  }

  /** Calls a function that returns a code; one that this version lacks counts as failed. */
  private int call(String function, Object... arguments) {
    Optional<MemorySegment> symbol = symbols.find(function);
    if (symbol.isEmpty()) {
      return -1;
    }
    MemoryLayout[] layouts = new MemoryLayout[arguments.length];
    for (int i = 0; i < arguments.length; i++) {
      layouts[i] = arguments[i] instanceof Integer ? JAVA_INT : ADDRESS;
    }
    MethodHandle handle =
        Linker.nativeLinker()
            .downcallHandle(symbol.get(), FunctionDescriptor.of(JAVA_INT, layouts));
    try {
      return (int) handle.invokeWithArguments(arguments);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException(function, e);
    }
  }

  private String text(int code) {
    Optional<MemorySegment> symbol = symbols.find("nvmlErrorString");
    if (symbol.isEmpty()) {
      return "error " + code;
    }
    MethodHandle handle =
        Linker.nativeLinker()
            .downcallHandle(symbol.get(), FunctionDescriptor.of(ADDRESS, JAVA_INT));
    try {
      MemorySegment text = (MemorySegment) handle.invokeExact(code);
      return "%s (%d)".formatted(text.reinterpret(TEXT_BYTES).getString(0), code);
    } catch (RuntimeException | Error e) {
      throw e;
    } catch (Throwable e) {
      throw new IllegalStateException("nvmlErrorString", e);
    }
  }

  @Override
  public void close() {
    call("nvmlShutdown");
  }
}
