package io.cuzk.jobs;

import io.cuzk.CuzkException;
import io.cuzk.DeviceException;
import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.ProofFailedException;
import io.cuzk.field.Fr;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.parallel.Workers;
import io.cuzk.porep.Commit1File;
import io.cuzk.porep.PartitionInput;
import io.cuzk.porep.PublicInputs;
import io.cuzk.porep.StackedCircuit;
import io.cuzk.prover.CompiledSynthesis;
import io.cuzk.prover.DevicePool;
import io.cuzk.prover.PartitionPipeline;
import io.cuzk.prover.Phase;
import io.cuzk.prover.PhaseTimer;
import io.cuzk.prover.ProvedPartition;
import io.cuzk.prover.Synthesis;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.resource.ResourceInformation;

/**
 * On an executor: proves one partition and leaves its entry in the journal.
 *
 * <p>Bad input is recorded and not tried again. A proof that does not verify and a device that
 * fails are recorded and reported: the driver sends the partition to another device, so that Spark
 * never counts them against the job. Trouble with the machine is thrown to Spark, which tries the
 * task elsewhere; the last try records it, so that one partition never ends the job of the others.
 */
final class ProvePartition implements Function<PartitionTask, TaskReport> {
  private static final long serialVersionUID = 1L;

  /** How long a task holds a slot whose device is of no use, so that others get the next task. */
  private static final long DECLINED_MILLIS = 300;

  private final Broadcast<JobSettings> settings;

  ProvePartition(Broadcast<JobSettings> settings) {
    this.settings = settings;
  }

  @Override
  public TaskReport call(PartitionTask task) {
    JobSettings job = settings.value();
    TaskContext context = TaskContext.get();
    RunDirectory run = Executor.run(job);
    Attempt attempt = new Attempt(task, job, context);
    if (attempt.isToDecline()) {
      return declined(attempt);
    }
    PartitionEntry entry;
    try {
      entry = attempt.prove();
    } catch (RuntimeException | OutOfMemoryError | InternalError | LinkageError e) {
      CuzkException failure = attempt.explain(e);
      String kind = kind(failure);
      if (kind.equals(PartitionEntry.DEVICE) && attempt.used == null && attempt.noneLeft()) {
        return declined(attempt); // the device was excluded while this task waited for it
      }
      if (kind.equals(PartitionEntry.INFRASTRUCTURE)
          && context.attemptNumber() + 1 < job.maxAttempts()) {
        throw failure;
      }
      if (attempt.noneLeft()) {
        CuzkPlugin.exhausted(attempt.place(), failure.getMessage());
      }
      entry = attempt.failed(kind, failure.getMessage());
    }
    PartitionEntry left = entry;
    attempt.timer.run(
        "write",
        () -> {
          run.writeEntry(left);
          if (left.proof() != null) {
            run.completeProofFile(task.sector(), task.scan().partitions());
          }
        });
    PartitionEntry after = attempt.after();
    run.writeAfter(after);
    if (entry.proof() != null) {
      CuzkPlugin.proved(Stream.of(entry, after).flatMap(part -> part.phases().stream()).toList());
    }
    return new TaskReport(
        task.sector(),
        task.partition(),
        entry.proof() != null,
        entry.failureKind(),
        entry.reason(),
        attempt.place());
  }

  private static TaskReport declined(Attempt attempt) {
    try {
      Thread.sleep(DECLINED_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return new TaskReport(
        attempt.task.sector(),
        attempt.task.partition(),
        false,
        TaskReport.DECLINED,
        "sent to a device that is suspect or excluded",
        attempt.place());
  }

  static String kind(CuzkException failure) {
    return switch (failure) {
      case InvalidInputException e -> PartitionEntry.INPUT;
      case ProofFailedException e -> PartitionEntry.PROOF;
      case DeviceException e -> PartitionEntry.DEVICE;
      case InfrastructureException e -> PartitionEntry.INFRASTRUCTURE;
    };
  }

  /** One try at one partition. */
  private static final class Attempt {
    private final PartitionTask task;
    private final JobSettings job;
    private final int number;
    private final Machine machine = Machine.current();
    private final Workers synthesisPool;
    private final Workers provingPool;
    private final Instant started = Instant.now();
    private final long startNanos = System.nanoTime();
    private final PhaseTimer timer;
    private final long cpuBefore;
    private final String address;
    private final PartitionPipeline pipeline;
    private String device = "";
    private Synthesis synthesis;

    private String usedAddress;

    /** Where it really ran; null until a device was taken. */
    private String used;

    Attempt(PartitionTask task, JobSettings job, TaskContext context) {
      this.task = task;
      this.job = job;
      this.number = task.tries() + context.attemptNumber();
      ResourceInformation gpu = context.resourcesJMap().get("gpu");
      this.address = gpu == null ? null : gpu.addresses()[0];
      this.pipeline = Executor.pipeline(job, address);
      this.synthesisPool = Executor.synthesisPool(job.threads());
      this.provingPool = Executor.provingPool(job.threads());
      this.timer = PhaseTimer.of(synthesisPool, provingPool);
      this.cpuBefore = cpu();
    }

    private long cpu() {
      return synthesisPool.cpuNanos() + provingPool.cpuNanos() + Workers.threadCpuNanos();
    }

    /** The device that it runs on or was sent to. */
    String place() {
      return used == null ? Places.of(machine.host(), address, Executor.id()) : used;
    }

    /** Whether no device of this process may be used for the task. */
    boolean isToDecline() {
      return pipeline.devices().health().stream()
          .allMatch(each -> each.excluded().isPresent() || isAvoided(each.address()));
    }

    private boolean isAvoided(String at) {
      return task.avoid()
          .contains(Places.of(machine.host(), address == null ? null : at, Executor.id()));
    }

    boolean noneLeft() {
      return pipeline.devices().health().stream().allMatch(each -> each.excluded().isPresent());
    }

    PartitionEntry prove() {
      SectorScan scan = task.scan();
      long waited = Math.max(0, started.toEpochMilli() - job.begunMillis());
      timer.add(
          new Phase(
              "queue.wait",
              TimeUnit.MILLISECONDS.toNanos(job.begunMillis()),
              TimeUnit.MILLISECONDS.toNanos(waited),
              0));
      PartitionInput input = timer.time("input.parse", () -> input(scan));
      ProvingKey key =
          timer.time(
              "key.load",
              () -> {
                // the circuit belongs to the key and is kept like it
                synthesis = synthesis();
                return key(scan);
              });
      ProvedPartition proved =
          pipeline.prove(
              new PartitionPipeline.Request(
                  task.sector() + " partition " + task.partition(),
                  StackedCircuit.of(input),
                  PublicInputs.of(input),
                  synthesis,
                  Executor.assignmentBytes(job, scan.sectorSize(), key),
                  key,
                  blinding(),
                  task.order(),
                  address,
                  avoided()),
              timer,
              (name, at) -> {
                device = name;
                usedAddress = at.orElse(null);
                used = Places.of(machine.host(), usedAddress, Executor.id());
              });
      return entry(proof(proved, key), null, null);
    }

    private Set<String> avoided() {
      Set<String> at = new HashSet<>();
      for (DevicePool.Health each : pipeline.devices().health()) {
        if (isAvoided(each.address())) {
          at.add(each.address());
        }
      }
      return at;
    }

    /** The preflight found the key good: if it is not good here, that is this host's trouble. */
    private ProvingKey key(SectorScan scan) {
      ProvingKey key;
      try {
        key = Executor.key(job.parameters(), scan.sectorSize(), task.keyLayout());
      } catch (InvalidInputException e) {
        throw new InfrastructureException("on " + machine.host() + ": " + e.getMessage(), e);
      }
      if (!key.digest().equals(task.keyDigest())) {
        throw new InfrastructureException(
            "%s on %s has digest %s, the run began with %s"
                .formatted(key.name(), machine.host(), key.digest(), task.keyDigest()));
      }
      return key;
    }

    private PartitionInput input(SectorScan scan) {
      Commit1File file = SectorInput.read(scan.path(), Executor.files(), job.customShape());
      if (!file.sha256().equals(scan.sha256())) {
        throw new InvalidInputException(
            "%s changed while the run was going on: SHA-256 %s at its begin, now %s"
                .formatted(scan.shownPath(), scan.sha256(), file.sha256()));
      }
      return PartitionInput.of(file.output(), task.partition());
    }

    private Synthesis synthesis() {
      return job.synthesis().equals(Synthesis.REFERENCE.name())
          ? Synthesis.REFERENCE
          : CompiledSynthesis.of(
              Executor.circuit(job.parameters(), task.scan().sectorSize()), synthesisPool);
    }

    private Blinding blinding() {
      return job.fixedR() == null
          ? Blinding.random()
          : Blinding.forTests(
              HexFormat.of().formatHex(job.fixedR()), HexFormat.of().formatHex(job.fixedS()));
    }

    private ProofRecord proof(ProvedPartition proved, ProvingKey key) {
      SectorScan scan = task.scan();
      byte[] inputs = new byte[proved.inputs().length / Fr.WORDS * Fr.BYTES];
      for (int i = 0; i * Fr.BYTES < inputs.length; i++) {
        Fr.toBytes(inputs, i * Fr.BYTES, proved.inputs(), i * Fr.WORDS);
      }
      KeyFiles files = KeyFiles.of(Path.of(job.parameters()), CustomShape.named(scan.sectorSize()));
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
          Digests.sha256(key.vk().toBytes()),
          proved.proof().encode(),
          inputs,
          true,
          proved.backend(),
          proved.device(),
          usedAddress,
          machine.host(),
          Executor.id(),
          synthesis.name(),
          job.threads(),
          number,
          started,
          System.nanoTime() - startNanos,
          cpu() - cpuBefore);
    }

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
              Machine.peakResidentBytes());
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

    /** Any failure as one that a user can act on. */
    CuzkException explain(Throwable failure) {
      if (failure instanceof CuzkException known) {
        return known;
      }
      if (failure instanceof OutOfMemoryError) {
        return new InfrastructureException(
            "out of memory on "
                + machine.host()
                + " with a heap of "
                + (Runtime.getRuntime().maxMemory() >> 20)
                + " MiB: "
                + failure.getMessage()
                + "; give it more (CUZK_HEAP, spark.executor.memory)",
            failure);
      }
      if (failure instanceof InternalError) {
        return new InfrastructureException(
            "on "
                + machine.host()
                + ": "
                + failure.getMessage()
                + "; a mapped file, most likely the proving key, was cut short or its disk fails",
            failure);
      }
      return new InfrastructureException(
          failure.getClass().getSimpleName()
              + " on "
              + machine.host()
              + ": "
              + failure.getMessage(),
          failure);
    }
  }
}
