package io.cuzk.jobs;

import io.cuzk.porep.SectorShape;
import java.util.Optional;

/**
 * What every task of a run needs to know. Broadcast, by Kryo.
 *
 * @param run the run directory
 * @param parameters the directory of parameter files, as each executor sees it, or on a Hadoop file
 *     system, from which each host fetches them
 * @param parametersCache where a host keeps what it fetched
 * @param backend {@code cpu} or {@code cuda}, chosen before the run
 * @param key which file the proving key is read from: {@code auto}, {@code native}, {@code params}
 * @param shape of a {@link CustomShape}; null for the size's own
 * @param memoryBudget in bytes; 0 for what the process has
 * @param deviceTimeoutMillis that a device may take for a proof
 * @param begunMillis when the stage that proves began, for {@code queue.wait}
 * @param minerId null when not given
 * @param sectorNumber null when not given
 * @param fixedR 32 bytes little-endian for tests, else null
 * @param fixedS with {@code fixedR}
 */
record JobSettings(
    String runId,
    String run,
    String parameters,
    String parametersCache,
    String backend,
    String key,
    String synthesis,
    int threads,
    String shape,
    long memoryBudget,
    long deviceTimeoutMillis,
    long begunMillis,
    Long minerId,
    Long sectorNumber,
    byte[] fixedR,
    byte[] fixedS) {
  /** What the C1 files are read as, if not what their proof type says. */
  Optional<SectorShape> customShape() {
    return Optional.ofNullable(shape).map(CustomShape::parse);
  }
}
