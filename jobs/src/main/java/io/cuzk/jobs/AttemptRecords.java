package io.cuzk.jobs;

import io.cuzk.field.Fr;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.prover.Phase;
import io.cuzk.prover.PhaseTimer;
import io.cuzk.prover.ProvedPartition;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The journal's entries of one try at one partition: proof, phases, device. */
final class AttemptRecords {
  private final PartitionTask task;
  private final JobSettings job;
  private final int number;
  private final Machine machine;
  private final PhaseTimer timer;
  private final LongSupplier cpu;
  private final long cpuBefore;
  private final Instant started = Instant.now();
  private final long startNanos = System.nanoTime();
  private String device = "";
  private String usedAddress;
  private Map<String, Object> facts = Map.of();

  /**
   * Of a try that begins now.
   *
   * @param number of earlier tries
   * @param cpu CPU time that counts for it, in nanoseconds
   */
  AttemptRecords(
      PartitionTask task,
      JobSettings job,
      int number,
      Machine machine,
      PhaseTimer timer,
      LongSupplier cpu) {
    this.task = task;
    this.job = job;
    this.number = number;
    this.machine = machine;
    this.timer = timer;
    this.cpu = cpu;
    this.cpuBefore = cpu.getAsLong();
  }

  Instant started() {
    return started;
  }

  /** Tells the device; the address is null where devices are not assigned. */
  void ranOn(String name, String address) {
    device = name;
    usedAddress = address;
  }

  /** Tells what is known of the device; the lowest and the highest readings are found later. */
  void know(Map<String, Object> known) {
    facts = known;
  }

  private String text(String fact) {
    return facts.get(fact) instanceof String text ? text : null;
  }

  private Long number(String fact) {
    return facts.get(fact) instanceof Number number ? number.longValue() : null;
  }

  private Integer small(String fact) {
    Long number = number(fact);
    return number == null ? null : (int) Math.min(number, Integer.MAX_VALUE);
  }

  /** The entry of a partition that was proved and verified. */
  PartitionEntry proved(
      ProvedPartition proved, ProvingKey key, String circuitDigest, String synthesis) {
    return entry(proof(proved, key, circuitDigest, synthesis), null, null);
  }

  private ProofRecord proof(
      ProvedPartition proved, ProvingKey key, String circuitDigest, String synthesis) {
    SectorScan scan = task.scan();
    byte[] inputs = new byte[proved.inputs().length / Fr.WORDS * Fr.BYTES];
    for (int i = 0; i * Fr.BYTES < inputs.length; i++) {
      Fr.toBytes(inputs, i * Fr.BYTES, proved.inputs(), i * Fr.WORDS);
    }
    KeyFiles files = KeyFiles.of(Path.of(""), CustomShape.named(scan.sectorSize()));
    return new ProofRecord(
        ProofRecord.SCHEMA_VERSION,
        job.runId(),
        task.sector(),
        scan.minerId(),
        scan.sectorNumber(),
        scan.replicaIdChecked(),
        task.partition(),
        scan.partitions(),
        scan.registeredProof(),
        scan.sectorSizeBytes(),
        scan.commR(),
        scan.commD(),
        scan.replicaId(),
        scan.shownPath(),
        scan.sha256(),
        files.name(),
        key.digest(),
        circuitDigest,
        Digests.sha256(key.vk().toBytes()),
        proved.proof().encode(),
        inputs,
        true,
        proved.backend(),
        proved.device(),
        usedAddress,
        machine.host(),
        Executor.id(),
        synthesis,
        job.threads(),
        number,
        started,
        System.nanoTime() - startNanos,
        cpu.getAsLong() - cpuBefore);
  }

  /** The entry of a try that failed. */
  PartitionEntry failed(String kind, String reason) {
    return entry(null, kind, reason);
  }

  /** The entry of the phases that came after the first entry. */
  PartitionEntry after() {
    List<Phase> phases = timer.phases();
    Phase write = phases.getLast();
    return new PartitionEntry(
        task.sector(),
        task.partition(),
        null,
        null,
        null,
        write.wallNanos(),
        records(List.of(write)),
        null);
  }

  private List<PhaseRecord> records(List<Phase> measured) {
    List<PhaseRecord> phases = new ArrayList<>();
    long origin = TimeUnit.SECONDS.toNanos(started.getEpochSecond()) + started.getNano();
    for (Phase phase : measured) {
      phases.add(
          new PhaseRecord(
              ProofRecord.SCHEMA_VERSION,
              job.runId(),
              task.sector(),
              task.partition(),
              number,
              phase.name(),
              Math.max(0, phase.startNanos() - origin),
              phase.wallNanos(),
              phase.cpuNanos(),
              job.backend(),
              device,
              machine.host(),
              Executor.id()));
    }
    return phases;
  }

  private PartitionEntry entry(ProofRecord proof, String kind, String reason) {
    DeviceRecord record =
        new DeviceRecord(
            ProofRecord.SCHEMA_VERSION,
            job.runId(),
            machine.host(),
            Executor.id(),
            job.backend(),
            device,
            usedAddress,
            machine.cpuModel(),
            machine.cores(),
            machine.memoryBytes(),
            machine.java(),
            Machine.peakResidentBytes(),
            text("driver"),
            text("code"),
            small("clock_mhz"),
            small("memory_clock_mhz"),
            small("celsius"),
            number("used_bytes"),
            small("uncorrected_errors"));
    return new PartitionEntry(
        task.sector(),
        task.partition(),
        proof,
        kind,
        reason,
        System.nanoTime() - startNanos,
        records(timer.phases()),
        record);
  }
}
