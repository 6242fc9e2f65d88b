package io.cuzk.jobs;

import io.cuzk.CuzkException;
import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.ProofFailedException;
import io.cuzk.field.Fr;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.parallel.Workers;
import io.cuzk.porep.Commit1File;
import io.cuzk.porep.PartitionInput;
import io.cuzk.porep.SectorShape;
import io.cuzk.prover.CompiledSynthesis;
import io.cuzk.prover.PartitionProver;
import io.cuzk.prover.Phase;
import io.cuzk.prover.PhaseTimer;
import io.cuzk.prover.ProvedPartition;
import io.cuzk.prover.ProverBackend;
import io.cuzk.prover.ProverBackends;
import io.cuzk.prover.Synthesis;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.broadcast.Broadcast;

/**
 * On an executor: proves one partition and leaves its entry in the journal.
 *
 * <p>Bad input is recorded and not tried again. A proof that does not verify, or trouble with the
 * machine, is thrown to Spark, which tries the task elsewhere; the last try records it, so that one
 * partition never ends the job of the others.
 */
final class ProvePartition implements Function<PartitionTask, TaskReport> {
  private static final long serialVersionUID = 1L;

  private final Broadcast<JobSettings> settings;

  ProvePartition(Broadcast<JobSettings> settings) {
    this.settings = settings;
  }

  @Override
  public TaskReport call(PartitionTask task) {
    JobSettings job = settings.value();
    TaskContext context = TaskContext.get();
    RunDirectory run = Executor.run(job);
    Attempt attempt = new Attempt(task, job, context.attemptNumber());
    PartitionEntry entry;
    try {
      entry = attempt.prove();
    } catch (RuntimeException | OutOfMemoryError | LinkageError e) {
      CuzkException failure = attempt.explain(e);
      boolean retry = !(failure instanceof InvalidInputException);
      if (retry && context.attemptNumber() + 1 < job.maxAttempts()) {
        throw failure;
      }
      entry = attempt.failed(kind(failure), failure.getMessage());
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
    run.writeAfter(attempt.after());
    return new TaskReport(
        task.sector(), task.partition(), entry.proof() != null, entry.failureKind());
  }

  static String kind(CuzkException failure) {
    return switch (failure) {
      case InvalidInputException e -> PartitionEntry.INPUT;
      case ProofFailedException e -> PartitionEntry.PROOF;
      case InfrastructureException e -> PartitionEntry.INFRASTRUCTURE;
    };
  }

  /** One try at one partition. */
  private static final class Attempt {
    private final PartitionTask task;
    private final JobSettings job;
    private final int number;
    private final Machine machine = Machine.current();
    private final Workers workers;
    private final Instant started = Instant.now();
    private final long startNanos = System.nanoTime();
    private final PhaseTimer timer;
    private final long cpuBefore;
    private String device = "";
    private Synthesis synthesis;

    Attempt(PartitionTask task, JobSettings job, int number) {
      this.task = task;
      this.job = job;
      this.number = number;
      this.workers = Executor.workers(job.threads());
      this.timer = PhaseTimer.of(workers);
      this.cpuBefore = cpu();
    }

    private long cpu() {
      return workers.cpuNanos() + Workers.threadCpuNanos();
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
      ProvedPartition proved;
      try (ProverBackend backend = ProverBackends.open(job.backend(), 0, workers)) {
        device = backend.device();
        proved =
            PartitionProver.of(synthesis, backend, key, workers)
                .prove(task.sector() + " partition " + task.partition(), input, blinding(), timer);
      }
      return entry(proof(proved, key), null, null);
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
      Commit1File file = SectorInput.read(scan.path(), Executor.files());
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
              Executor.circuit(job.parameters(), task.scan().sectorSize()), workers);
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
      KeyFiles files = KeyFiles.of(Path.of(job.parameters()), SectorShape.of(scan.sectorSize()));
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
              null,
              machine.cpuModel(),
              machine.cores(),
              machine.memoryBytes(),
              machine.java());
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
