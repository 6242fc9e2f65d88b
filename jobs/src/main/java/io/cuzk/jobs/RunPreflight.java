package io.cuzk.jobs;

import io.cuzk.CuzkException;
import io.cuzk.InfrastructureException;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.groth16.ProvingKeyFile;
import io.cuzk.prover.DeviceLease;
import io.cuzk.prover.DevicePool;
import io.cuzk.prover.PartitionOrder;
import io.cuzk.prover.ProverBackendProvider;
import io.cuzk.prover.ProverBackends;
import io.cuzk.prover.Synthesis;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkEnv;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.Function;
import org.apache.spark.resource.ResourceInformation;

/**
 * On an executor: probes the backend, looks for all parameters, opens them and the circuits, and
 * sees that there is memory for a proof, room on the disk, and the driver's run directory. What
 * fails comes back as a value, all of it together: Spark would try a thrown one again, which mends
 * nothing.
 */
final class RunPreflight implements Function<JobSettings, Preflight> {
  private static final long serialVersionUID = 1L;

  private final ArrayList<String> sectorSizes;

  RunPreflight(ArrayList<String> sectorSizes) {
    this.sectorSizes = sectorSizes;
  }

  @Override
  public Preflight call(JobSettings job) {
    return new Look(job, sectorSizes).look();
  }

  private static final class Look {
    private final JobSettings job;
    private final List<String> sectorSizes;
    private final String host = Machine.current().host();
    private final List<String> faults = new ArrayList<>();
    private final ArrayList<Preflight.KeyFound> keys = new ArrayList<>();
    private boolean inputOnly = true;
    private ProverBackendProvider provider;
    private DevicePool pool;
    private String device;

    /** Why the device is of no use here; null if it is. */
    private String deviceFault;

    Look(JobSettings job, List<String> sectorSizes) {
      this.job = job;
      this.sectorSizes = sectorSizes;
    }

    Preflight look() {
      boolean probed = attempt(this::probe);
      boolean there = attempt(this::find);
      if (there) {
        for (String size : sectorSizes) {
          attempt(() -> open(size));
        }
      }
      attempt(this::requireDisk);
      attempt(() -> SharedDirectory.require(job));
      if (deviceFault != null && faults.isEmpty()) {
        return Preflight.failed(host, Executor.id(), PartitionEntry.DEVICE, deviceFault);
      }
      if (deviceFault != null) {
        faults.addFirst(deviceFault);
        inputOnly = false;
      }
      if (!faults.isEmpty() || !probed) {
        return Preflight.failed(
            host,
            Executor.id(),
            inputOnly ? PartitionEntry.INPUT : PartitionEntry.INFRASTRUCTURE,
            String.join("; ", faults));
      }
      return new Preflight(
          host,
          Executor.id(),
          System.currentTimeMillis(),
          provider.name(),
          device,
          Backends.choice(job.backend(), provider),
          keys,
          null,
          null);
    }

    private boolean attempt(Runnable check) {
      try {
        check.run();
        return true;
      } catch (CuzkException e) {
        inputOnly &= AttemptFailure.kind(e).equals(PartitionEntry.INPUT);
        if (!faults.contains(e.getMessage())) {
          faults.add(e.getMessage());
        }
        return false;
      }
    }

    private void probe() {
      provider = ProverBackends.choose(job.backend());
      ResourceInformation gpu = TaskContext.get().resourcesJMap().get("gpu");
      String address = gpu == null ? null : gpu.addresses()[0];
      pool = Executor.devices(provider.name(), address, job.threads());
      try (DeviceLease lease = DeviceProbe.lease(pool, address)) {
        device = lease.backend().device();
      } catch (InfrastructureException e) {
        deviceFault = e.getMessage();
        if (pool.health().stream().allMatch(each -> each.excluded().isPresent())) {
          ExecutorSide.exhausted(Places.of(host, address, Executor.id()), deviceFault);
        }
      }
    }

    private void find() {
      if (KeyFetch.isNeeded(job.parameters())) {
        return; // who fetches them says what is missing
      }
      Path directory = RunFiles.local(job.parameters());
      List<KeyFiles> wanted = new ArrayList<>();
      for (String size : sectorSizes) {
        wanted.add(KeyFiles.of(directory, CustomShape.named(size)));
      }
      KeyFiles.requireAll(wanted, directory);
    }

    private void open(String size) {
      Path directory =
          KeyFetch.isNeeded(job.parameters())
              ? Executor.fetch(job, size)
              : RunFiles.local(job.parameters());
      KeyFiles files = KeyFiles.of(directory, CustomShape.named(size));
      ProvingKeyFile file = Executor.keyFile(directory, size, job.key());
      ProvingKey key = file.provingKey();
      keys.add(
          new Preflight.KeyFound(
              size,
              files.name(),
              file.path().toString(),
              file.layout(),
              file.bytes(),
              key.digest(),
              job.synthesis().equals(Synthesis.REFERENCE.name())
                  ? null
                  : Executor.fingerprint(Executor.circuit(directory, size)),
              Digests.sha256(key.vk().toBytes())));
      if (pool != null) {
        ProverBackends.requireInReach(provider, "a partition of " + size, key.domain());
        long needed =
            Executor.assignmentBytes(job, size, key) + pool.provider().heapBytes(key.domain());
        Executor.budget(job)
            .reserve("a partition of " + size, needed, PartitionOrder.of(0))
            .close();
      }
    }

    private void requireDisk() {
      List<File> directories = new ArrayList<>();
      directories.add(new File(System.getProperty("java.io.tmpdir")));
      // of spark.local.dir, or what the cluster manager gave in its place
      directories.addAll(List.of(SparkEnv.get().blockManager().diskBlockManager().localDirs()));
      RunSpace.require(directories, RunSpace.TEMPORARY);
    }
  }
}
