package io.cuzk.bench;

import io.cuzk.curve.FlatPoints;
import io.cuzk.curve.Group;
import io.cuzk.field.Arithmetic;
import io.cuzk.groth16.Progress;
import io.cuzk.msm.Pippenger;
import io.cuzk.msm.Scalars;
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

/** Sums of 2^logSize points with scalars of full size. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class MsmBenchmark {
  /** The implementation. */
  @Param({"lanes", "scalar"})
  public String provider;

  /** The group. */
  @Param({"G1", "G2"})
  public String group;

  /** log2 of the points. */
  @Param({"12", "16"})
  public int logSize;

  /** Cores. */
  @Param("1")
  public int threads;

  private Arithmetic arithmetic;
  private Workers workers;
  private FlatPoints points;
  private Scalars scalars;
  private long[] sum;

  /** Random points and scalars. */
  @Setup
  public void setUp() {
    arithmetic = Arithmetic.named(provider);
    workers = Workers.of(threads);
    MsmInputs inputs =
        MsmInputs.of(
            group.equals("G1") ? Group.G1 : Group.G2, logSize, new Plan(0, 1, Progress.NONE));
    points = new FlatPoints(inputs.group, inputs.affine);
    scalars = Scalars.of(inputs.scalars);
    sum = new long[inputs.group.jacobianWords()];
  }

  /** Ends the threads. */
  @TearDown
  public void tearDown() {
    workers.close();
  }

  /** Pippenger. */
  @Benchmark
  public long[] multiExp() {
    Pippenger.multiExp(points, scalars, workers, arithmetic, sum, 0);
    return sum;
  }
}
