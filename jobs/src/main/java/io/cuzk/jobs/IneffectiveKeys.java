package io.cuzk.jobs;

import io.cuzk.InvalidInputException;
import io.cuzk.prover.ProverBackendProvider;
import io.cuzk.prover.ProverBackends;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.SparkConf;

/**
 * Refuses keys that were set but do nothing in a run with the backend and the parameters that it
 * ended up with: whoever set them expects something else than what would happen.
 */
final class IneffectiveKeys {
  private IneffectiveKeys() {}

  /**
   * Looks.
   *
   * @param backend that was chosen
   * @param parameters where they lie
   * @throws InvalidInputException as an error of usage, naming every such key and why
   */
  static void refuse(CuzkConf conf, SparkConf spark, String backend, String parameters) {
    List<String> faults = new ArrayList<>();
    ProverBackendProvider provider =
        ProverBackends.providers().stream()
            .filter(each -> each.name().equals(backend))
            .findFirst()
            .orElse(null);
    if (conf.isSet(CuzkConf.CUDA_PINNING) && (provider == null || !provider.pins())) {
      faults.add(
          CuzkConf.CUDA_PINNING.name()
              + ": backend "
              + backend
              + " locks no host memory, only cuda does");
    }
    boolean assigned = spark.contains("spark.task.resource.gpu.amount");
    if (conf.isSet(CuzkConf.DEVICE_TIMEOUT)
        && provider != null
        && provider.concurrent()
        && !assigned) {
      faults.add(
          CuzkConf.DEVICE_TIMEOUT.name()
              + ": backend "
              + backend
              + " is no device that could hang, its proofs have no limit");
    }
    if (conf.isSet(CuzkConf.PARAMS_CACHE) && !KeyFetch.isNeeded(parameters)) {
      faults.add(
          CuzkConf.PARAMS_CACHE.name()
              + ": the parameters in "
              + parameters
              + " are local files, which are read in place");
    }
    if (!faults.isEmpty()) {
      throw InvalidInputException.ofUsage(
          "configuration that does nothing in this run: "
              + String.join("; ", faults)
              + "; leave out "
              + (faults.size() == 1 ? "this key" : "these keys"));
    }
  }
}
