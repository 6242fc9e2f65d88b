package io.cuzk.bench;

import io.cuzk.field.Arithmetic;
import io.cuzk.field.FrTransform;
import io.cuzk.field.FrVector;
import io.cuzk.parallel.Workers;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Transforms of 2^logSize points. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class TransformBenchmark {
  /** The implementation. */
  @Param({"lanes", "scalar"})
  public String provider;

  /** log2 of the points. */
  @Param({"16", "20"})
  public int logSize;

  /** Cores. */
  @Param("1")
  public int threads;

  private Workers workers;
  private FrTransform transform;
  private FrVector v;

  /** Random values. */
  @Setup
  public void setUp() {
    Arithmetic arithmetic = Arithmetic.named(provider);
    workers = Workers.of(threads);
    transform = arithmetic.transform(logSize);
    v = arithmetic.allocate(1L << logSize);
    v.load(0, new RandomElements(1).fr(1 << logSize), 0, 1 << logSize);
  }

  /** Ends the threads. */
  @TearDown
  public void tearDown() {
    workers.close();
  }

  /** Coefficients to values. */
  @Benchmark
  public Object forward() {
    transform.forward(v, null, null, workers);
    return v;
  }

  /** Values to coefficients. */
  @Benchmark
  public Object inverse() {
    transform.inverse(v, null, null, workers);
    return v;
  }
}
