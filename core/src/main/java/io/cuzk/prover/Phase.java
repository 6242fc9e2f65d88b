package io.cuzk.prover;

/**
 * What one phase of a proof took.
 *
 * @param name one of the phase names, such as {@code msm.h}
 * @param startNanos when it began, nanoseconds since 1970 (with the resolution of the monotonic
 *     clock within one timer)
 * @param wallNanos how long it took
 * @param cpuNanos CPU time of the calling thread and of the pool's threads in that time. Where
 *     several proofs share a pool, each sees the others' work too
 */
public record Phase(String name, long startNanos, long wallNanos, long cpuNanos) {}
