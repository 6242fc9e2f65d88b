package io.cuzk.bench;

import io.cuzk.InfrastructureException;
import io.cuzk.curve.Group;
import io.cuzk.field.Fr;
import io.cuzk.field.FrTransform;
import io.cuzk.parallel.Workers;
import io.cuzk.prover.DeviceMeter;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.DoubleSupplier;

/**
 * Transforms and sums on a device, beside what its measured rate of multiplications allows. The
 * wall time of a row is the device's, by its events; the CPU time the host's.
 */
public final class DeviceBench {
  /** Elements written at a time. */
  private static final int BLOCK = 1 << 12;

  /** Values that are compared with the polynomial's. */
  private static final int[] CHECKED = {1, 5};

  /** Products in Fp of an addition to a bucket (8M + 2S), and of one in Fp2. */
  private static final int PRODUCTS_G1 = 10;

  private static final int PRODUCTS_G2 = 28;

  /** Products in Fp of an addition of two sums. */
  private static final int PRODUCTS_FULL = 14;

  /**
   * Bits of a scalar with a signed digit's carry, and the widest windows, of 24 bits, over them.
   */
  private static final int SCALAR_BITS = 255;

  private static final int FEWEST_WINDOWS = 11;

  private final DeviceMeter meter;
  private final String backend;
  private final DeviceMeter.Rates rates;

  private DeviceBench(DeviceMeter meter, String backend) {
    this.meter = meter;
    this.backend = backend;
    rates = meter.rates();
  }

  /** Measures the device's limits first. The meter stays the caller's to close. */
  public static DeviceBench on(DeviceMeter meter, String backend) {
    return new DeviceBench(meter, backend);
  }

  /** The device with its limits, by JSON key. */
  public Map<String, Object> limits() {
    Map<String, Object> limits = new LinkedHashMap<>();
    limits.put("device", meter.device());
    limits.put("fr_mul_per_s", rates.frMulPerSecond());
    limits.put("fp_mul_per_s", rates.fpMulPerSecond());
    limits.put("upload_bytes_per_s", rates.uploadBytesPerSecond());
    limits.put("download_bytes_per_s", rates.downloadBytesPerSecond());
    return limits;
  }

  /**
   * The transform of 2^k coefficients to values. Its limit are the products of n/2·k butterflies.
   *
   * @throws InfrastructureException if a value is wrong
   */
  public Measurement transform(int logSize, Plan plan) {
    double butterflies = 0.5 * (1L << logSize) * logSize;
    try (DeviceMeter.Transform transform = meter.transform(logSize)) {
      check(transform, logSize);
      return row(
          "ntt",
          logSize,
          "butterfly",
          butterflies,
          butterflies / rates.frMulPerSecond(),
          measure("ntt " + backend + " 2^" + logSize, plan, transform::seconds),
          new LinkedHashMap<>());
    }
  }

  private void check(DeviceMeter.Transform transform, int logSize) {
    long n = 1L << logSize;
    RandomElements random = new RandomElements(logSize);
    int points = CHECKED.length;
    long[] root = new long[Fr.WORDS];
    FrTransform.root(logSize, root, 0);
    long[] xs = new long[points * Fr.WORDS];
    for (int p = 0; p < points; p++) {
      Fr.pow(xs, p * Fr.WORDS, root, 0, BigInteger.valueOf(CHECKED[p] % n));
    }
    long[] sums = new long[points * Fr.WORDS];
    int block = (int) Math.min(BLOCK, n);
    // Horner from the highest coefficient down.
    for (long from = n - block; from >= 0; from -= block) {
      long[] coefficients = random.fr(block);
      transform.write(from, block, coefficients);
      for (int i = block - 1; i >= 0; i--) {
        for (int at = 0; at < sums.length; at += Fr.WORDS) {
          Fr.mul(sums, at, sums, at, xs, at);
          Fr.add(sums, at, sums, at, coefficients, i * Fr.WORDS);
        }
      }
    }
    transform.order();
    transform.seconds();
    long[] found = new long[Fr.WORDS];
    for (int p = 0; p < points; p++) {
      transform.read(CHECKED[p] % n, found);
      if (!Fr.equal(found, 0, sums, p * Fr.WORDS)) {
        throw new InfrastructureException(
            "ntt of 2^%d on %s is wrong: value %d is not the polynomial's; nothing was measured"
                .formatted(logSize, meter.device(), CHECKED[p] % n));
      }
    }
  }

  /**
   * A multi-scalar multiplication whose points are resident. Its limit are the products of adding
   * every point to a bucket in as many windows as are best, whatever width the sum took.
   *
   * @throws InfrastructureException if a sum is wrong
   */
  public Measurement sum(MsmInputs inputs, Plan plan) {
    Group group = inputs.group;
    boolean g1 = group == Group.G1;
    double n = 1L << inputs.logSize;
    try (DeviceMeter.Sum sum = meter.sum(group, inputs.affine, inputs.scalars)) {
      DoubleSupplier checked =
          () -> {
            double seconds = sum.seconds();
            if (!group.equal(sum.total(), 0, inputs.expected, 0)) {
              throw new InfrastructureException(
                  "the sum of 2^%d points of %s on %s is wrong: it is not k·G; no figure is shown"
                      .formatted(inputs.logSize, group.name(), meter.device()));
            }
            return seconds;
          };
      String work = g1 ? "msm_g1" : "msm_g2";
      Timing timing = measure(work + " " + backend + " 2^" + inputs.logSize, plan, checked);
      Map<String, Object> more = new LinkedHashMap<>();
      more.put("window", sum.windowBits());
      int windows = bestWindows(n);
      more.put("limit_windows", windows);
      double products = n * windows * (g1 ? PRODUCTS_G1 : PRODUCTS_G2);
      return row(work, inputs.logSize, "point", n, products / rates.fpMulPerSecond(), timing, more);
    }
  }

  /**
   * The windows, all of about the same width, for which adding points to buckets and each bucket
   * twice to running sums takes the fewest products.
   */
  static int bestWindows(double points) {
    int best = FEWEST_WINDOWS;
    double least = Double.MAX_VALUE;
    for (int windows = FEWEST_WINDOWS; windows <= SCALAR_BITS / 2; windows++) {
      double buckets = Math.pow(2, (double) SCALAR_BITS / windows - 1);
      double products = windows * (points * PRODUCTS_G1 + 2 * buckets * PRODUCTS_FULL);
      if (products < least) {
        best = windows;
        least = products;
      }
    }
    return best;
  }

  private Measurement row(
      String work,
      int logSize,
      String unit,
      double units,
      double limitSeconds,
      Timing timing,
      Map<String, Object> more) {
    more.put("device_s", timing.wallNanos() * 1e-9);
    more.put("limit_s", limitSeconds);
    more.put("of_limit", limitSeconds / (timing.wallNanos() * 1e-9));
    return new Measurement(work, backend, logSize, 1, unit, units, timing, null, more);
  }

  private static Timing measure(String what, Plan plan, DoubleSupplier work) {
    for (int i = 0; i < plan.warmup(); i++) {
      var _ = work.getAsDouble(); // the warm-up's time is nobody's
      plan.progress().advanced(what + ", warm-up", i + 1, plan.warmup());
    }
    double[] cpu = new double[plan.iterations()];
    double[] device = new double[plan.iterations()];
    for (int i = 0; i < plan.iterations(); i++) {
      long before = Workers.threadCpuNanos();
      device[i] = work.getAsDouble() * 1e9;
      cpu[i] = Workers.threadCpuNanos() - before;
      plan.progress().advanced(what, i + 1, plan.iterations());
    }
    return new Timing(Timing.median(cpu), Timing.median(device), cpu, device);
  }
}
