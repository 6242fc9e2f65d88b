package io.cuzk.porep;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A C1 file as read: the output and what the file says beside it. Immutable.
 *
 * @param name the file as it was called for reading; begins every message about it
 * @param form how it is written
 * @param sectorNumber the wrapper's SectorNum or bincode's sector_id
 * @param proverId bincode's prover_id, 32 bytes, not to be modified
 * @param sha256 digest of the whole file, in hex
 * @param bytes length of the whole file
 * @param sparse whether the wrapper says that the sector was never sealed, see {@link SparseSealer}
 */
public record Commit1File(
    String name,
    Form form,
    Commit1Output output,
    OptionalLong sectorNumber,
    Optional<byte[]> proverId,
    String sha256,
    long bytes,
    boolean sparse) {
  /** The ways to write a C1 output. */
  public enum Form {
    /** The JSON itself. */
    BARE,
    /** JSON in base64 in JSON, as Curio and Lotus keep it. */
    WRAPPED,
    /** bincode 1 of {@code C2Input::V0}. */
    BINCODE
  }

  /** Checks presence. */
  public Commit1File {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(form, "form");
    Objects.requireNonNull(output, "output");
    Objects.requireNonNull(sha256, "sha256");
  }
}
