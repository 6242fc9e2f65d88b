package io.cuzk.groth16;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import io.cuzk.parallel.HostLock;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A file whose content was found to have the digest it ought to have: the one in its {@link
 * DigestSidecar}, or where there is none, the one Filecoin {@linkplain PublishedDigests published}
 * under its name.
 *
 * <p>Files of up to 4 GiB are hashed each time, by the sidecar's SHA-256 where it has one, which is
 * faster (about a second per GiB). Larger ones leave a stamp ({@code FILE.stamp}, or in the user's
 * cache directory: length, modification time in ns, inode, digest, version) after a good hash, and
 * are hashed again only when the stamp no longer fits, by one process of a host while the others
 * wait for its stamp. A change that keeps all three — made with privileges, or by a failing disk —
 * is not seen by the stamp; {@code rehash} ignores it.
 *
 * @param digest first 16 bytes of BLAKE2b-512 in hex
 * @param source what vouches for the digest, for messages and records
 * @param published whether it is a file of Filecoin's
 */
public record TrustedDigest(String digest, String source, boolean published) {
  /** Largest file that is hashed every time. */
  static final long ALWAYS_HASHED = 4L << 30;

  /** Checks a file's digest, trusting the stamp of a large one. */
  public static TrustedDigest require(Path file) {
    return require(file, false, ALWAYS_HASHED);
  }

  /**
   * Checks a file's digest.
   *
   * @param rehash whether to read a large file even if its stamp fits
   * @throws InvalidInputException if the digest is another one, naming the file, the expected and
   *     the found digest; or if nothing says what it ought to be
   */
  public static TrustedDigest require(Path file, boolean rehash) {
    return require(file, rehash, ALWAYS_HASHED);
  }

  static TrustedDigest require(Path file, boolean rehash, long alwaysHashed) {
    FileStamp before = FileStamp.of(file);
    ExpectedDigest expected = ExpectedDigest.of(file);
    expected.requireBytes(file, before.bytes());
    boolean large = before.bytes() > alwaysHashed;
    if (!large || rehash) {
      return hashed(file, before, expected, large);
    }
    if (before.fits(file, expected.digest())) {
      return expected.trusted();
    }
    try (HostLock turn = FileStamp.turn(file).orElse(null)) {
      return before.fits(file, expected.digest())
          ? expected.trusted()
          : hashed(file, before, expected, true);
    } catch (IOException e) {
      throw new InfrastructureException("cannot give back the lock for " + file + ": " + e, e);
    }
  }

  private static TrustedDigest hashed(
      Path file, FileStamp before, ExpectedDigest expected, boolean large) {
    String found = found(file, expected.sidecar(), expected.published());
    if (!found.equals(expected.digest())) {
      throw new InvalidInputException(
          "%s is damaged or not this file: expected digest %s according to %s, found %s%s"
              .formatted(
                  file,
                  expected.digest(),
                  expected.source(),
                  found,
                  place(file, expected.sidecar())));
    }
    if (large && FileStamp.of(file).equals(before)) {
      before.write(file, found);
    }
    return expected.trusted();
  }

  /** The file's digest; what claims to be Filecoin's is held against Filecoin's own digest. */
  private static String found(Path file, Optional<DigestSidecar> sidecar, boolean published) {
    String sha256 = sidecar.map(side -> side.digest().sha256()).orElse("");
    if (!published && !sha256.isEmpty() && FileDigest.sha256Of(file).sha256().equals(sha256)) {
      return sidecar.get().digest().blake2b();
    }
    return FileDigest.blake2bOf(file).blake2b();
  }

  /** Which sections differ, where the sidecar knows their digests. */
  private static String place(Path file, Optional<DigestSidecar> sidecar) {
    List<String> damaged = new ArrayList<>();
    for (DigestSidecar.SectionDigest section :
        sidecar.map(DigestSidecar::sections).orElse(List.of())) {
      FileDigest part = FileDigest.part(file, section.offset(), section.bytes());
      if (!part.blake2b().equals(section.blake2b())) {
        damaged.add(section.name());
      }
    }
    String where =
        damaged.isEmpty()
            ? ""
            : " (section%s %s)"
                .formatted(damaged.size() > 1 ? "s" : "", String.join(", ", damaged));
    return where
        + "; 'cuzk params check "
        + file
        + "' looks for the bad point, or fetch or make the file again";
  }
}
