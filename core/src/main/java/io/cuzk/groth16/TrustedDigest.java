package io.cuzk.groth16;

import io.cuzk.InfrastructureException;
import io.cuzk.InvalidInputException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * A file whose content was found to have the digest it ought to have: the one in its {@link
 * DigestSidecar}, or where there is none, the one Filecoin {@linkplain PublishedDigests published}
 * under its name.
 *
 * <p>Files of up to 4 GiB are hashed each time, by the sidecar's SHA-256 where it has one, which is
 * faster (about a second per GiB). Larger ones leave a stamp ({@code FILE.stamp}: length,
 * modification time in ns, inode, digest) after a good hash, and are hashed again only when the
 * stamp no longer fits. A change that keeps all three — made with privileges, or by a failing disk
 * — is not seen by the stamp; {@code rehash} ignores it.
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
    Stamp before = Stamp.of(file);
    Optional<DigestSidecar> sidecar = DigestSidecar.read(file);
    String fileName = file.getFileName().toString();
    String expected;
    String source;
    if (sidecar.isPresent()) {
      expected = sidecar.get().digest().blake2b();
      source = DigestSidecar.beside(file).getFileName() + " (" + sidecar.get().origin() + ")";
      long bytes = sidecar.get().digest().bytes();
      if (before.bytes() != bytes) {
        throw new InvalidInputException(
            "%s has %d bytes, expected %d according to %s; it is truncated or not this file"
                .formatted(file, before.bytes(), bytes, source));
      }
    } else {
      PublishedDigests.Entry entry =
          PublishedDigests.ofFile(fileName)
              .orElseThrow(
                  () ->
                      new InvalidInputException(
                          ("nothing says what digest %s ought to have: there is no %s beside it and"
                                  + " Filecoin published no file of that name; 'cuzk params check"
                                  + " %s' checks every point and leaves a digest")
                              .formatted(file, DigestSidecar.beside(file).getFileName(), file)));
      expected = entry.digest();
      source = "Filecoin's published digest";
    }
    boolean published = PublishedDigests.ofDigest(expected).isPresent();
    boolean large = before.bytes() > alwaysHashed;
    if (large && !rehash && before.fits(file, expected)) {
      return new TrustedDigest(expected, source, published);
    }
    String found = found(file, sidecar, published);
    if (!found.equals(expected)) {
      throw new InvalidInputException(
          "%s is damaged or not this file: expected digest %s according to %s, found %s%s"
              .formatted(file, expected, source, found, place(file, sidecar)));
    }
    if (large && Stamp.of(file).equals(before)) {
      before.write(file, found);
    }
    return new TrustedDigest(found, source, published);
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

  private record Stamp(long bytes, long modifiedNanos, String inode) {
    static Stamp of(Path file) {
      try {
        BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
        return new Stamp(
            found.size(),
            found.lastModifiedTime().to(TimeUnit.NANOSECONDS),
            String.valueOf(found.fileKey()));
      } catch (NoSuchFileException e) {
        throw new InvalidInputException(file + " does not exist", e);
      } catch (IOException e) {
        throw new InfrastructureException("cannot read " + file + ": " + e, e);
      }
    }

    private static Path path(Path file) {
      return file.resolveSibling(file.getFileName() + ".stamp");
    }

    private String line(String digest) {
      return "cuzk-stamp-1 %d %d %s %s\n".formatted(bytes, modifiedNanos, inode, digest);
    }

    boolean fits(Path file, String expected) {
      try {
        Path stamp = path(file);
        return Files.size(stamp) < 4096 && Files.readString(stamp).equals(line(expected));
      } catch (IOException e) {
        return false;
      }
    }

    /** Best effort: without a stamp the file is hashed again next time. */
    void write(Path file, String digest) {
      Path target = path(file);
      Path temporary = target.resolveSibling(target.getFileName() + ".part");
      try {
        Files.write(temporary, line(digest).getBytes(StandardCharsets.UTF_8));
        Files.move(temporary, target, StandardCopyOption.ATOMIC_MOVE);
      } catch (IOException e) {
        // A read-only parameter directory is normal.
      }
    }
  }
}
