package io.cuzk.jobs;

import io.cuzk.CuzkException;
import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.circuit.CompiledCircuit;
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
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.spark.TaskContext;
import org.apache.spark.resource.ResourceInformation;
import org.apache.spark.util.TaskCompletionListener;

/** One try at one partition, on the device that the task was given or another of its executor. */
final class PartitionAttempt {
  private final PartitionTask task;
  private final JobSettings job;
  private final Machine machine = Machine.current();
  private final TaskPools pools;
  private final PhaseTimer timer;
  private final AttemptRecords records;
  private final String address;
  private final PartitionPipeline pipeline;
  private Synthesis synthesis;
  private boolean proved;

  /** Null where the circuit is not compiled. */
  private String circuitDigest;

  /** Where it really ran; null until a device was taken. */
  private String used;

  PartitionAttempt(PartitionTask task, JobSettings job, TaskContext context) {
    this.task = task;
    this.job = job;
    this.address = address(context);
    this.pipeline = Executor.pipeline(job, address);
    this.pools = TaskPools.take(job.threads());
    context.addTaskCompletionListener(
        new TaskCompletionListener() {
          @Override
          public void onTaskCompletion(TaskContext ended) {
            endPools();
          }
        });
    // A device's own pool is the only one that another task may compute on meanwhile.
    Workers[] counted = {pools.synthesis(), pools.proving(), pipeline.devices().workers()};
    this.timer = PhaseTimer.of(counted);
    this.records =
        new AttemptRecords(
            task,
            job,
            task.tries() + task.troubles() + context.attemptNumber(),
            machine,
            timer,
            () ->
                Arrays.stream(counted).mapToLong(Workers::cpuNanos).sum()
                    + Workers.threadCpuNanos());
  }

  /** Of the device that a task was given; null where devices are not assigned. */
  static String address(TaskContext context) {
    ResourceInformation gpu = context.resourcesJMap().get("gpu");
    return gpu == null ? null : gpu.addresses()[0];
  }

  /** After a failure something may still be at work on them. */
  private void endPools() {
    if (proved) {
      pools.giveBack();
    } else {
      pools.end();
    }
  }

  PartitionTask task() {
    return task;
  }

  PhaseTimer timer() {
    return timer;
  }

  /** What is left of it for the journal. */
  AttemptRecords records() {
    return records;
  }

  boolean hadDevice() {
    return used != null;
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

  /** Why devices of this process are excluded, all failures of each. */
  String exclusions() {
    return pipeline.devices().health().stream()
        .flatMap(each -> each.excluded().stream())
        .distinct()
        .collect(Collectors.joining("; "));
  }

  /** Whether that is for errors that another process may not have. */
  boolean isLost() {
    return noneLeft() && pipeline.devices().health().stream().anyMatch(DevicePool.Health::lost);
  }

  PartitionEntry prove() {
    SectorScan scan = task.scan();
    long waited = Math.max(0, records.started().toEpochMilli() - job.begunMillis());
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
    ProvedPartition made =
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
                avoided(),
                pools.proving()),
            timer,
            new PartitionPipeline.Assigned() {
              @Override
              public void device(String name, Optional<String> at) {
                records.ranOn(name, at.orElse(null));
                used = Places.of(machine.host(), at.orElse(null), Executor.id());
              }

              @Override
              public void facts(Map<String, Object> facts) {
                records.know(facts);
              }
            });
    proved = true;
    return records.proved(made, key, circuitDigest, synthesis.name());
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

  private Path parameters() {
    try {
      return Executor.parameters(job, task.scan().sectorSize());
    } catch (InvalidInputException e) {
      throw hostsTrouble(e);
    }
  }

  private InfrastructureException hostsTrouble(CuzkException e) {
    return new InfrastructureException("on " + machine.host() + ": " + e.getMessage(), e);
  }

  /** The preflight found the key good: if it is not good here, that is this host's trouble. */
  private ProvingKey key(SectorScan scan) {
    ProvingKey key;
    try {
      key = Executor.key(parameters(), scan.sectorSize(), task.keyLayout());
    } catch (InvalidInputException e) {
      throw hostsTrouble(e);
    }
    if (!key.digest().equals(task.keyDigest())) {
      throw new InfrastructureException(
          "%s on %s has digest %s, the run began with %s"
              .formatted(key.name(), machine.host(), key.digest(), task.keyDigest()));
    }
    return key;
  }

  private PartitionInput input(SectorScan scan) {
    Commit1File file = file(scan);
    if (!file.sha256().equals(scan.sha256())) {
      throw changed(scan, "now it is " + file.sha256(), null);
    }
    return PartitionInput.of(file.output(), task.partition());
  }

  /** The scan read it whole and good: if it cannot be read here, that is this host's trouble. */
  private Commit1File file(SectorScan scan) {
    try {
      return SectorInput.read(scan.path(), Executor.files(), job.customShape());
    } catch (InfrastructureException e) {
      throw hostsTrouble(e);
    } catch (InvalidInputException e) {
      throw SectorInput.isMissing(e) ? hostsTrouble(e) : changed(scan, e.getMessage(), e);
    }
  }

  private InvalidInputException changed(SectorScan scan, String how, Throwable cause) {
    return new InvalidInputException(
        "%s changed while the run was going on: its SHA-256 was %s at its begin; on %s %s"
            .formatted(scan.shownPath(), scan.sha256(), machine.host(), how),
        cause);
  }

  private Synthesis synthesis() {
    if (job.synthesis().equals(Synthesis.REFERENCE.name())) {
      return Synthesis.REFERENCE;
    }
    CompiledCircuit circuit;
    try {
      circuit = Executor.circuit(parameters(), task.scan().sectorSize());
    } catch (InvalidInputException e) {
      throw hostsTrouble(e); // the preflight found it good, as it did the key
    }
    circuitDigest = Executor.fingerprint(circuit);
    return CompiledSynthesis.of(circuit, pools.synthesis());
  }

  private Blinding blinding() {
    return job.fixedR() == null
        ? Blinding.random()
        : Blinding.forTests(
            HexFormat.of().formatHex(job.fixedR()), HexFormat.of().formatHex(job.fixedS()));
  }
}
