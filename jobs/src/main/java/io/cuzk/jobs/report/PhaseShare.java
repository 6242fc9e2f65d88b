package io.cuzk.jobs.report;

/**
 * What a phase took in a run, over partitions whose proofs verified.
 *
 * @param nested whether it lies within other phases
 * @param medianSeconds wall time of a partition
 * @param slowSeconds wall time that 95 % of partitions keep
 * @param cpuSeconds median CPU time of a partition; NaN where not measured
 * @param share of all outermost phases' wall time, waits for a task left out; NaN for those
 */
record PhaseShare(
    String phase,
    boolean nested,
    double medianSeconds,
    double slowSeconds,
    double cpuSeconds,
    double share) {}
