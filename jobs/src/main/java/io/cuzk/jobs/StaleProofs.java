package io.cuzk.jobs;

import io.cuzk.InvalidInputException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Proofs of the very C1 files that a run is asked for, made with another key or circuit, and what
 * {@code spark.cuzk.stale} says of them. Most often the key is a mistake, or the program was
 * upgraded: neither is a reason to delete finished proofs unasked.
 */
final class StaleProofs {
  /** They end the run before it begins. */
  static final String REFUSE = "refuse";

  /** They are deleted and proved anew. */
  static final String REPLACE = "replace";

  /** Those of the same key are taken as done, the others refused. */
  static final String KEEP = "keep";

  private final String policy;
  private final Map<String, Integer> refused = new LinkedHashMap<>();
  private final Set<String> sectors = new HashSet<>();
  private boolean allOfTheKey = true;

  StaleProofs(String policy) {
    this.policy = policy;
  }

  /**
   * Whether a proof in the journal counts as done. One that does not is either to be deleted and
   * proved anew, or noted for {@link #refuse}.
   *
   * @param made what it was made from
   * @param wanted what the run would make it from
   */
  boolean isDone(String sector, Fingerprint made, Fingerprint wanted) {
    if (made.matches(wanted)) {
      return true;
    }
    if (!made.inputSha256().equals(wanted.inputSha256()) || policy.equals(REPLACE)) {
      return false;
    }
    boolean sameKey = made.keyDigest().equals(wanted.keyDigest());
    if (sameKey && policy.equals(KEEP)) {
      return true;
    }
    String how =
        sameKey
            ? "by another circuit (circuit_digest %s then, %s now)"
                .formatted(made.circuitDigest(), wanted.circuitDigest())
            : "with another key (key_digest %s then, %s now)"
                .formatted(made.keyDigest(), wanted.keyDigest());
    refused.merge(how, 1, Integer::sum);
    sectors.add(sector);
    allOfTheKey &= sameKey;
    return false;
  }

  /**
   * Ends the run if there is something that it must not decide.
   *
   * @throws InvalidInputException with the number of partitions, both digests and the choices
   */
  void refuse(RunDirectory run) {
    if (refused.isEmpty()) {
      return;
    }
    List<String> what = new ArrayList<>();
    refused.forEach(
        (how, count) -> what.add(count + (count == 1 ? " partition " : " partitions ") + how));
    throw new InvalidInputException(
        ("%s has proofs of %d of these C1 files that were made otherwise than this run would: %s;"
                + " nothing was changed. Name the --params that they were made with, or another"
                + " --out; or set spark.cuzk.stale=%s")
            .formatted(
                run.show(),
                sectors.size(),
                String.join(", ", what),
                (allOfTheKey
                        ? KEEP + ", which takes them as done (the key is the same), or to "
                        : "")
                    + REPLACE
                    + ", which deletes them and proves anew"));
  }
}
