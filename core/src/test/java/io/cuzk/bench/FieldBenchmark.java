package io.cuzk.bench;

import io.cuzk.field.Arithmetic;
import io.cuzk.field.FpVector;
import io.cuzk.field.FrVector;
import io.cuzk.parallel.Workers;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Products of independent elements, per product. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class FieldBenchmark {
  private static final int SIZE = 1024;

  /** The implementation. */
  @Param({"lanes", "scalar"})
  public String provider;

  private final Workers single = Workers.single();
  private FpVector fpX;
  private FpVector fpY;
  private FrVector frX;
  private FrVector frY;

  /** Random elements. */
  @Setup
  public void setUp() {
    Arithmetic arithmetic = Arithmetic.named(provider);
    RandomElements random = new RandomElements(1);
    fpX = arithmetic.allocateFp(SIZE);
    fpY = arithmetic.allocateFp(SIZE);
    fpX.load(0, random.fp(SIZE), 0, SIZE);
    fpY.load(0, random.fp(SIZE), 0, SIZE);
    frX = arithmetic.allocate(SIZE);
    frY = arithmetic.allocate(SIZE);
    frX.load(0, random.fr(SIZE), 0, SIZE);
    frY.load(0, random.fr(SIZE), 0, SIZE);
  }

  /** Fp. */
  @Benchmark
  @OperationsPerInvocation(SIZE)
  public Object fpMul() {
    fpX.setProduct(fpX, fpY);
    return fpX;
  }

  /** Fr. */
  @Benchmark
  @OperationsPerInvocation(SIZE)
  public Object frMul() {
    frX.setProduct(frX, frY, single);
    return frX;
  }
}
