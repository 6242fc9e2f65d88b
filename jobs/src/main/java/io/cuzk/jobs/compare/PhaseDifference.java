package io.cuzk.jobs.compare;

/**
 * What changed in one phase.
 *
 * @param phase its name; {@link Comparison#TOTAL} for all of a partition's time
 * @param nested whether it lies within other phases
 * @param byCpu whether CPU time gives the verdict; else wall time does
 * @param cpu of the CPU times
 * @param wall of the wall times
 * @param pCpu probability of the CPU times, corrected for the number of tests
 * @param pWall probability of the wall times, corrected
 */
public record PhaseDifference(
    String phase,
    boolean nested,
    boolean byCpu,
    Difference cpu,
    Difference wall,
    double pCpu,
    double pWall) {
  /** With the chance of any false alarm in a comparison held below this. */
  static final double LEVEL = 0.05;

  /** The times that give the verdict. */
  public Difference judged() {
    return byCpu ? cpu : wall;
  }

  /** Whether and how the phase changed. */
  public Verdict verdict() {
    return verdict(judged(), byCpu ? pCpu : pWall);
  }

  /** The same of the wall time. */
  public Verdict wallVerdict() {
    return verdict(wall, pWall);
  }

  private static Verdict verdict(Difference difference, double p) {
    if (difference.beforeCount() == 0 && difference.afterCount() > 0) {
      return Verdict.NEW;
    }
    if (difference.afterCount() == 0 && difference.beforeCount() > 0) {
      return Verdict.GONE;
    }
    if (!(p < LEVEL)) {
      return Verdict.NO_DIFFERENCE;
    }
    return difference.slower() < difference.faster() ? Verdict.SLOWER : Verdict.FASTER;
  }
}
