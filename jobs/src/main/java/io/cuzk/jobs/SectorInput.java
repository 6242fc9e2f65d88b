package io.cuzk.jobs;

import io.cuzk.CuzkException;
import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.porep.Commit1Codec;
import io.cuzk.porep.Commit1File;
import io.cuzk.porep.Commit1Output;
import io.cuzk.porep.RegisteredProof;
import io.cuzk.porep.ReplicaId;
import io.cuzk.porep.SectorShape;
import io.cuzk.porep.VanillaCheck;
import java.io.BufferedInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.fs.Path;

/** Reads and checks a C1 file on any Hadoop file system. */
public final class SectorInput {
  private SectorInput() {}

  /**
   * What a check found.
   *
   * @param minerId the given one, else the file's; null when neither says
   * @param sectorNumber likewise
   * @param replicaIdChecked whether replica_id was recomputed from the two
   */
  public record Checked(
      Commit1File file, Long minerId, Long sectorNumber, boolean replicaIdChecked) {}

  /** Reads a file whole. */
  static Commit1File read(String path, RunFiles files, Optional<SectorShape> shape) {
    Path place = files.qualify(path);
    try (InputStream in = new BufferedInputStream(files.fileSystem(place).open(place), 1 << 16)) {
      return Commit1Codec.read(in, RunFiles.show(place), shape);
    } catch (FileNotFoundException e) {
      throw new InvalidInputException(RunFiles.show(place) + ": " + missing(e), e);
    } catch (IOException e) {
      throw new InfrastructureException(
          "cannot read " + RunFiles.show(place) + ": " + RunFiles.reason(e), e);
    }
  }

  /** A file that may not be read looks to Java as if there were none. */
  private static String missing(FileNotFoundException e) {
    String reason = String.valueOf(e.getMessage());
    return reason.endsWith("(Permission denied)") ? "permission denied" : "no such file";
  }

  /** Whether {@link #read} failed because the file is not to be had where it ran. */
  static boolean isMissing(CuzkException failure) {
    return failure.getCause() instanceof FileNotFoundException;
  }

  /**
   * Checks everything that can be checked before proving: that the proof type can be proved here,
   * the ids, every path, parent, label and commitment.
   *
   * @throws InvalidInputException naming the file and the first fault
   */
  public static Checked check(Commit1File file, Long minerId, Long sectorNumber) {
    Commit1Output c1 = file.output();
    if (c1.proof().feature() == RegisteredProof.Feature.NON_INTERACTIVE) {
      throw new InvalidInputException(
          file.name()
              + ": "
              + c1.proof().name()
              + " is non-interactive: its proofs are only of use aggregated, which is not built"
              + " yet");
    }
    VanillaCheck.Result result =
        VanillaCheck.check(file, optional(minerId), optional(sectorNumber));
    return new Checked(
        file,
        minerId != null ? minerId : file.proverId().map(SectorInput::minerOf).orElse(null),
        sectorNumber != null ? sectorNumber : boxed(file.sectorNumber()),
        result.replicaIdChecked());
  }

  /** The miner whose id, as unsigned LEB128, fills a prover id; null if it is none such. */
  static Long minerOf(byte[] proverId) {
    long id = 0;
    for (int i = 0; i < 10; i++) {
      id |= (long) (proverId[i] & 0x7f) << (7 * i);
      if (proverId[i] >= 0) {
        return Arrays.equals(ReplicaId.proverId(id), proverId) ? id : null;
      }
    }
    return null;
  }

  /**
   * Reads and checks a file for planning; faults of the file become a scan with its reason.
   *
   * @throws InfrastructureException if it could not be read, which says nothing of the file
   */
  static ScanSector.Scanned scan(
      InputPaths.InputFile input,
      RunFiles files,
      Optional<SectorShape> shape,
      Long minerId,
      Long sectorNumber) {
    String sha256 = null;
    try {
      Commit1File file = read(input.path(), files, shape);
      sha256 = file.sha256();
      Checked checked = check(file, minerId, sectorNumber);
      Commit1Output c1 = file.output();
      SectorScan good =
          new SectorScan(
              input.path(),
              file.bytes(),
              sha256,
              c1.proof().name(),
              c1.shape().name(),
              c1.shape().sectorBytes(),
              c1.shape().partitions(),
              c1.replicaId(),
              c1.commR(),
              c1.commD(),
              checked.minerId(),
              checked.sectorNumber(),
              checked.replicaIdChecked(),
              input.priority(),
              input.deadlineMillis(),
              null);
      return new ScanSector.Scanned(good, null);
    } catch (InfrastructureException e) {
      throw e;
    } catch (CuzkException e) {
      String shown = RunFiles.show(new Path(input.path()));
      String reason = e.getMessage();
      SectorScan bad =
          SectorScan.failed(
              input.path(),
              input.bytes(),
              sha256,
              reason.startsWith(shown + ": ") ? reason.substring(shown.length() + 2) : reason);
      return new ScanSector.Scanned(bad, isMissing(e) ? Machine.current().host() : null);
    }
  }

  private static Long boxed(OptionalLong value) {
    return value.isPresent() ? value.getAsLong() : null;
  }

  private static OptionalLong optional(Long value) {
    return value == null ? OptionalLong.empty() : OptionalLong.of(value);
  }
}
