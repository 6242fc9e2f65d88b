package io.cuzk.jobs;

import io.cuzk.CuzkException;
import io.cuzk.groth16.ProvingKey;
import io.cuzk.groth16.ProvingKeyFile;
import io.cuzk.prover.ProverBackend;
import io.cuzk.prover.ProverBackendProvider;
import io.cuzk.prover.ProverBackends;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.api.java.function.Function;

/**
 * On an executor: probes the backend, then looks for all parameters, then opens them. What fails
 * comes back as a value: Spark would try a thrown one again, which mends neither.
 */
final class RunPreflight implements Function<JobSettings, Preflight> {
  private static final long serialVersionUID = 1L;

  private final ArrayList<String> sectorSizes;

  RunPreflight(ArrayList<String> sectorSizes) {
    this.sectorSizes = sectorSizes;
  }

  @Override
  public Preflight call(JobSettings job) {
    try {
      return preflight(job);
    } catch (CuzkException e) {
      return Preflight.failed(ProvePartition.kind(e), e.getMessage());
    }
  }

  private Preflight preflight(JobSettings job) {
    ProverBackendProvider provider = ProverBackends.choose(job.backend());
    String device;
    try (ProverBackend backend = provider.open(0, Executor.provingPool(job.threads()))) {
      device = backend.device();
    }
    Path directory = Path.of(job.parameters());
    List<KeyFiles> wanted = new ArrayList<>();
    for (String size : sectorSizes) {
      wanted.add(KeyFiles.of(directory, CustomShape.named(size)));
    }
    KeyFiles.requireAll(wanted, directory);
    List<Preflight.KeyFound> keys = new ArrayList<>();
    for (KeyFiles files : wanted) {
      ProvingKeyFile file = Executor.keyFile(job.parameters(), files.sectorSize(), job.key());
      ProvingKey key = file.provingKey();
      keys.add(
          new Preflight.KeyFound(
              files.sectorSize(),
              files.name(),
              file.path().toString(),
              file.layout(),
              file.bytes(),
              key.digest(),
              Digests.sha256(key.vk().toBytes())));
    }
    return new Preflight(
        provider.name(), device, Backends.choice(job.backend(), provider), keys, null, null);
  }
}
