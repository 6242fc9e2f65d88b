package io.cuzk.bench;

import io.cuzk.InfrastructureException;
import io.cuzk.field.Arithmetic;
import io.cuzk.field.Fp;
import io.cuzk.field.FpVector;
import io.cuzk.field.Fr;
import io.cuzk.field.FrVector;
import io.cuzk.parallel.Workers;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/**
 * The throughput of one field's multiplication: z[i] = z[i]·y[i] over arrays of independent
 * elements, again and again, each thread on arrays of its own. In lanes that is one group of eight
 * elements a step.
 *
 * <p>The rival multiplies the same arrays, a call for each pair. What that many calls of a function
 * that does nothing take is measured beside and subtracted, which is in the rival's favour.
 */
public final class FieldBench {
  /** Multiplications of a thread in an iteration, about. */
  private static final int PER_ITERATION = 1 << 20;

  /** Products that are compared with big integers. */
  private static final int CHECKED = 256;

  /** What is multiplied. */
  public enum Field {
    /** The base field: 381 bits. */
    FP("fp_mul", "blst_fp_mul", Fp.WORDS, Fp.MODULUS),
    /** The scalar field: 255 bits. */
    FR("fr_mul", "blst_fr_mul", Fr.WORDS, Fr.MODULUS);

    private final String work;
    private final String rival;
    private final int words;
    private final BigInteger modulus;

    Field(String work, String rival, int words, BigInteger modulus) {
      this.work = work;
      this.rival = rival;
      this.words = words;
      this.modulus = modulus;
    }

    private BigInteger value(long[] w, int at) {
      return this == FP ? Fp.toBigInteger(w, at) : Fr.toBigInteger(w, at);
    }
  }

  private FieldBench() {}

  /** One thread's arrays. */
  private interface Pairs {
    void multiply();

    void store(long[] out);
  }

  private static Pairs pairs(Field field, Arithmetic arithmetic, long[] x, long[] y) {
    int n = x.length / field.words;
    if (field == Field.FP) {
      FpVector z = arithmetic.allocateFp(n);
      FpVector v = arithmetic.allocateFp(n);
      z.load(0, x, 0, n);
      v.load(0, y, 0, n);
      return new Pairs() {
        @Override
        public void multiply() {
          z.setProduct(z, v);
        }

        @Override
        public void store(long[] out) {
          z.store(0, out, 0, n);
        }
      };
    }
    FrVector z = arithmetic.allocate(n);
    FrVector v = arithmetic.allocate(n);
    z.load(0, x, 0, n);
    v.load(0, y, 0, n);
    Workers single = Workers.single();
    return new Pairs() {
      @Override
      public void multiply() {
        z.setProduct(z, v, single);
      }

      @Override
      public void store(long[] out) {
        z.store(0, out, 0, n);
      }
    };
  }

  /**
   * Measures; all results are checked against big integers, and against the rival's.
   *
   * @param logSize log2 of the elements of a thread's arrays
   * @param blst the rival, or null
   * @throws InfrastructureException if a product is wrong
   */
  public static Measurement run(
      Field field, Arithmetic arithmetic, int logSize, int threads, Plan plan, Blst blst) {
    int n = 1 << logSize;
    RandomElements random = new RandomElements(logSize);
    long[] x = field == Field.FP ? random.fp(n) : random.fr(n);
    long[] y = field == Field.FP ? random.fp(n) : random.fr(n);
    int sweeps = Math.max(1, PER_ITERATION >> logSize);
    try (Workers workers = Workers.of(threads);
        Blst.Products products = products(field, blst, x, y)) {
      check(field, arithmetic, x, y, products);
      List<Callable<Void>> tasks = new ArrayList<>();
      for (int t = 0; t < threads; t++) {
        Pairs own = pairs(field, arithmetic, x, y);
        tasks.add(
            () -> {
              for (int s = 0; s < sweeps; s++) {
                own.multiply();
              }
              return null;
            });
      }
      List<Runnable> works = new ArrayList<>();
      works.add(() -> workers.invokeAll(tasks));
      if (products != null) {
        works.add(() -> products.multiply(sweeps));
        works.add(() -> products.callOnly(sweeps));
      }
      String what = field.work + " " + arithmetic.name() + " 2^" + logSize + " x" + threads;
      List<Timing> timings = Timing.interleaved(plan, what, workers, works);
      double perThread = (double) n * sweeps;
      Map<String, Object> more = new LinkedHashMap<>();
      Measurement.Rival rival = null;
      if (products != null) {
        double call = timings.get(2).cpuNanos() / perThread;
        rival = new Measurement.Rival(field.rival, timings.get(1).cpuNanos() / perThread - call);
        more.put("rival_call_ns", call);
      }
      return new Measurement(
          field.work,
          arithmetic.name(),
          logSize,
          threads,
          "multiplication",
          perThread * threads,
          timings.getFirst(),
          rival,
          more);
    }
  }

  private static Blst.Products products(Field field, Blst blst, long[] x, long[] y) {
    if (blst == null) {
      return null;
    }
    return field == Field.FP ? blst.fpProducts(x, y) : blst.frProducts(x, y);
  }

  /** Three products in a row, as the measured loop makes them. */
  private static void check(
      Field field, Arithmetic arithmetic, long[] x, long[] y, Blst.Products products) {
    int rounds = 3;
    Pairs own = pairs(field, arithmetic, x, y);
    for (int i = 0; i < rounds; i++) {
      own.multiply();
    }
    long[] found = new long[x.length];
    own.store(found);
    int w = field.words;
    for (int i = 0; i < Math.min(CHECKED, x.length / w); i++) {
      BigInteger expected =
          field.value(y, i * w).pow(rounds).multiply(field.value(x, i * w)).mod(field.modulus);
      require(field, arithmetic, "big integers", i, field.value(found, i * w).equals(expected));
    }
    if (products != null) {
      products.multiply(rounds);
      int at = Arrays.mismatch(found, products.words());
      require(field, arithmetic, field.rival, at / w, at < 0);
    }
  }

  private static void require(
      Field field, Arithmetic arithmetic, String oracle, int element, boolean equal) {
    if (!equal) {
      throw new InfrastructureException(
          "%s by %s is wrong: element %d differs from %s; nothing was measured"
              .formatted(field.work, arithmetic.name(), element, oracle));
    }
  }
}
