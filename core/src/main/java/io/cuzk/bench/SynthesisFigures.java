package io.cuzk.bench;

import java.util.List;
import java.util.Map;

/**
 * What one variant of synthesis took. Arrays hold a value for each measured iteration, over all
 * partitions of the run.
 *
 * @param rows of all partitions
 * @param prepareSeconds what is done once for a circuit, compiling it, before any iteration
 * @param wall seconds of reading the C1 file, building the circuit and synthesis
 * @param synth seconds of synthesis alone
 * @param synthCpu CPU seconds of the threads that synthesise
 * @param processCpu CPU seconds of the whole process while synthesising: collector and compiler too
 * @param allocatedBytes allocated while synthesising, mean of the iterations
 * @param gcSeconds spent in collections while synthesising, mean of the iterations
 * @param peakBytes most memory the process has held, or of its heap where the kernel does not say
 * @param assignmentBytes of the arrays of all partitions' assignments
 * @param checkedRows rows found to hold when evaluated again from the matrices; 0: not checked
 * @param counters events of one iteration by name, mean; null if none were asked for
 * @param counterFaults counters that there are not, with the reason
 */
public record SynthesisFigures(
    SynthesisVariant variant,
    long rows,
    double prepareSeconds,
    double[] wall,
    double[] synth,
    double[] synthCpu,
    double[] processCpu,
    long allocatedBytes,
    double gcSeconds,
    long peakBytes,
    long assignmentBytes,
    long checkedRows,
    Map<String, Double> counters,
    Map<String, String> counterFaults,
    List<PartitionDigests> partitions) {}
