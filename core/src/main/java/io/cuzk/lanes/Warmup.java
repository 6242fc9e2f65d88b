package io.cuzk.lanes;

import com.sun.management.HotSpotDiagnosticMXBean;
import com.sun.management.OperatingSystemMXBean;
import io.cuzk.field.Arithmetic.Unavailable;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Kernels that are known to be compiled.
 *
 * <p>Vector code that is interpreted, or compiled by HotSpot's first compiler only, allocates an
 * object for every operation and is a hundred to a thousand times slower. A method whose first
 * compilation was made without profiling, because the compiler was busy, can stay in that state for
 * ever. So every kernel is called, with nothing but its own compilation outstanding, until its time
 * shows that it is compiled; if that does not happen, a new class with the same code is tried.
 */
final class Warmup {
  private static final Logger LOG = LoggerFactory.getLogger(Warmup.class);

  /** Compiled kernels take some 0.2 µs a group, others 10 µs and more. */
  private static final long FAST_NANOS = 2_500;

  /** Calls in a row that must be fast. */
  private static final int FAST_CALLS = 20;

  /** Calls after which HotSpot has queued the method. */
  private static final int EAGER_CALLS = 12_000;

  private static final int POLL_CALLS = 400;
  private static final long POLL_MILLIS = 4;

  /** For one kernel, on the clock and in CPU time of the process: on a busy machine the first. */
  private static final long PATIENCE_NANOS = 8_000_000_000L;

  /** On the clock, whatever the process was given. */
  private static final long MOST_PATIENCE_NANOS = 120_000_000_000L;

  private static final int CLASSES = 4;

  /** Fused multiply-adds without hardware go through BigDecimal: a microsecond. */
  private static final double FMA_NANOS = 100;

  private final int lanes;
  private final FrKernels fr;
  private final FpKernels fp;
  private final Transposition moves;
  private final CompletableFuture<FpKernels> dots;

  private Warmup(
      int lanes,
      FrKernels fr,
      FpKernels fp,
      Transposition moves,
      CompletableFuture<FpKernels> dots) {
    this.lanes = lanes;
    this.moves = moves;
    this.fr = fr;
    this.fp = fp;
    this.dots = dots;
  }

  /** One kernel: its name and a call of it on one group. */
  private record Call<K>(String name, Consumer<K> call) {}

  /**
   * Writes and compiles the kernels for vectors of that many doubles. Takes seconds; returns when
   * those for Fr and for G1 are ready, while those for G2 are still being compiled beside.
   */
  static Warmup of(int lanes) throws Unavailable {
    if (!hasSecondCompiler()) {
      throw new Unavailable(
          "HotSpot's second compiler, which makes vector code, is off",
          "start Java without -Xint and -XX:TieredStopAtLevel");
    }
    double fma = fmaNanos();
    if (fma > FMA_NANOS) {
      throw new Unavailable(
          "fused multiply-add is emulated here (%.0f ns each)".formatted(fma),
          "a CPU with FMA is needed, and Java must not run with -XX:-UseFMA");
    }
    long start = System.nanoTime();
    CompletableFuture<FpKernels> g1 = async("fp", () -> fp(lanes));
    FrKernels fr = fr(lanes);
    Transposition moves = moves(lanes);
    FpKernels fp = g1.join();
    CompletableFuture<FpKernels> dots = async("fp2", () -> dots(lanes));
    if (fr == null || fp == null) {
      throw new Unavailable(
          "HotSpot did not compile the vector kernels in time",
          "check for -Xint, -XX:TieredStopAtLevel or a full code cache");
    }
    LOG.debug("kernels compiled in {} ms", (System.nanoTime() - start) / 1_000_000);
    return new Warmup(lanes, fr, fp, moves, dots);
  }

  int lanes() {
    return lanes;
  }

  FrKernels fr() {
    return fr;
  }

  /** Kernels for G1: all of {@link FpKernels} but the sums of two products. */
  FpKernels fp() {
    return fp;
  }

  /** The fastest way between points and groups. */
  Transposition moves() {
    return moves;
  }

  /** Sums of two products, or null if HotSpot does not compile them. */
  FpKernels dots() {
    try {
      return dots.join();
    } catch (CompletionException e) {
      throw new IllegalStateException("kernels for G2: " + e.getCause(), e);
    }
  }

  private static <T> CompletableFuture<T> async(String name, Supplier<T> body) {
    CompletableFuture<T> result = new CompletableFuture<>();
    Thread thread =
        new Thread(
            () -> {
              try {
                result.complete(body.get());
              } catch (Throwable e) {
                result.completeExceptionally(e);
              }
            },
            "cuzk-warmup-" + name);
    thread.setDaemon(true);
    thread.start();
    return result;
  }

  /** False only where it is known to be off; then nothing needs to be waited for. */
  private static boolean hasSecondCompiler() {
    if (System.getProperty("java.vm.info", "").startsWith("interpreted")) {
      return false;
    }
    try {
      HotSpotDiagnosticMXBean hotSpot =
          ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class);
      return hotSpot == null
          || Integer.parseInt(hotSpot.getVMOption("TieredStopAtLevel").getValue()) == 4;
    } catch (IllegalArgumentException e) {
      return true; // a JVM without such an option: the kernels' times will tell
    }
  }

  private static double fmaNanos() {
    double best = Double.MAX_VALUE;
    double x = 1.0000001;
    for (int round = 0; round < 4; round++) {
      long start = System.nanoTime();
      for (int i = 0; i < 2000; i++) {
        x = Math.fma(x, 0.999, 0.001);
      }
      best = Math.min(best, (System.nanoTime() - start) / 2000.0);
    }
    return x > 2 ? Double.MAX_VALUE : best;
  }

  private static FrKernels fr(int lanes) {
    final int g = FrKernels.GROUP;
    double[] d = new double[3 * g];
    fill(LaneField.FR, d);
    double[] t = new double[g];
    fill(LaneField.FR, t);
    double[] z = new double[2 * g];
    return compiled(
        () -> Kernels.fr(lanes),
        List.of(
            new Call<>("difference", k -> k.difference(d, 0, g, d, g, g, z, 0, g, 1)),
            new Call<>("sums", k -> k.sums(z, 0, g, 2 * g, 1)),
            new Call<>(
                "butterfly",
                k -> {
                  System.arraycopy(d, 0, z, 0, 2 * g);
                  k.butterfly(z, 0, g, 2 * g, t, 0, 6, 1);
                }),
            new Call<>("mul", k -> k.mul(d, 0, g, d, g, g, z, 0, g, 1))));
  }

  private static FpKernels fp(int lanes) {
    final int g = FpKernels.GROUP;
    double[] d = new double[4 * g];
    fill(LaneField.FP, d);
    double[] t = new double[FpKernels.HALF];
    double[] z = new double[g];
    return compiled(
        () -> Kernels.fp(lanes),
        List.of(
            new Call<>("difference", k -> k.difference(d, 0, d, g, d, 2 * g, z, 0, 1)),
            new Call<>("subtract", k -> k.subtract(d, 0, d, g, z, 0, 1)),
            new Call<>("mulLow", k -> k.mulLow(d, 0, d, g, t, 0, 1)),
            new Call<>("mulHigh", k -> k.mulHigh(d, 0, d, g, t, 0, z, 0, 1)),
            new Call<>("mulHighWide", k -> k.mulHighWide(d, 0, d, g, t, 0, z, 0, 1))));
  }

  private static FpKernels dots(int lanes) {
    final int g = FpKernels.GROUP;
    double[] d = new double[4 * g];
    fill(LaneField.FP, d);
    double[] s = new double[FpKernels.SUMS];
    double[] t = new double[FpKernels.HALF];
    double[] z = new double[g];
    return compiled(
        () -> Kernels.fp(lanes),
        List.of(
            new Call<>("productLow", k -> k.productLow(d, 0, d, g, s, 0, 1)),
            new Call<>("dotLow", k -> k.dotLow(d, 0, d, g, -1, s, 0, t, 0, 1)),
            new Call<>("productHigh", k -> k.productHigh(d, 0, d, g, t, 0, s, 0, 1)),
            new Call<>("dotHigh", k -> k.dotHigh(d, 0, d, g, -1, s, 0, t, 0, z, 0, 1))));
  }

  private static Transposition moves(int lanes) {
    double[] d = new double[FpKernels.GROUP];
    double[] z = new double[FpKernels.GROUP];
    int[] offsets = {0, 8, 16, 24, 32, 40, 48, 56};
    double[] signs = {1, -1, 1, -1, 1, 1, 1, 1};
    Transposition wide =
        lanes < LaneField.LANES
            ? null
            : compiled(
                WideTransposition::new,
                List.of(
                    new Call<>("gather", k -> k.gather(d, offsets, 0, signs, z, 8)),
                    new Call<>("scatter", k -> k.scatter(d, z, offsets, 0, 0, 8))));
    return wide == null ? new Transposition() : wide;
  }

  /** Small residues, different in every lane; never anything that is proved with. */
  private static void fill(LaneField field, double[] d) {
    for (int i = 0; i < d.length; i++) {
      int j = i / LaneField.LANES % field.limbs();
      d[i] = field.stored(1000 + 77L * i, j);
    }
  }

  /** A new instance with all of these compiled; null if {@value #CLASSES} classes failed. */
  private static <K> K compiled(Supplier<K> maker, List<Call<K>> calls) {
    for (int attempt = 1; attempt <= CLASSES; attempt++) {
      K kernels = maker.get();
      String slow = null;
      for (Call<K> call : calls) {
        if (slow == null && !compiled(kernels, call.call)) {
          slow = call.name;
        }
      }
      if (slow == null) {
        return kernels;
      }
      LOG.info("kernel {} was not compiled, attempt {} of {}", slow, attempt, CLASSES);
    }
    return null;
  }

  private static <K> boolean compiled(K kernels, Consumer<K> call) {
    long start = System.nanoTime();
    long cpu = processCpuNanos();
    if (fast(kernels, call, EAGER_CALLS)) {
      return true;
    }
    while (isPatient(System.nanoTime() - start, processCpuNanos() - cpu)) {
      try {
        Thread.sleep(POLL_MILLIS); // leaves the core to the compiler
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
      if (fast(kernels, call, POLL_CALLS)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Whether a kernel may still become fast: HotSpot's compiler has to be given its second of a
   * core, which on a busy machine takes a minute.
   */
  static boolean isPatient(long wallNanos, long cpuNanos) {
    return wallNanos < PATIENCE_NANOS
        || (cpuNanos < PATIENCE_NANOS && wallNanos < MOST_PATIENCE_NANOS);
  }

  /** CPU time of all threads; where it isn't known, time on the clock. */
  private static long processCpuNanos() {
    return ManagementFactory.getOperatingSystemMXBean() instanceof OperatingSystemMXBean process
            && process.getProcessCpuTime() >= 0
        ? process.getProcessCpuTime()
        : System.nanoTime();
  }

  private static <K> boolean fast(K kernels, Consumer<K> call, int calls) {
    int inARow = 0;
    for (int i = 0; i < calls && inARow < FAST_CALLS; i++) {
      long before = System.nanoTime();
      call.accept(kernels);
      inARow = System.nanoTime() - before < FAST_NANOS ? inARow + 1 : 0;
    }
    return inARow == FAST_CALLS;
  }
}
