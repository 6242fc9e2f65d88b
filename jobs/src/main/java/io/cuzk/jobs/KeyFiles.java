package io.cuzk.jobs;

import io.cuzk.InvalidInputException;
import io.cuzk.groth16.PublishedDigests;
import io.cuzk.porep.SectorShape;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Where the parameters of a sector size lie in a directory, under the names that Filecoin's
 * software looks for.
 *
 * @param sectorSize for example {@code 2KiB}
 * @param name both files' name without extension
 */
public record KeyFiles(String sectorSize, String name, Path params, Path vk) {
  /**
   * The files of a shape; those of a {@link CustomShape} have names of their own.
   *
   * @throws InvalidInputException if the shape has no registered proof
   */
  public static KeyFiles of(Path directory, SectorShape shape) {
    String stem =
        CustomShape.isCustom(shape.name())
            ? "experiment-" + shape.name().replace(',', '-').replace("=", "")
            : PublishedDigests.fileStem(shape.sectorBytes())
                .orElseThrow(
                    () ->
                        new InvalidInputException(
                            shape.name() + " has a circuit but no registered proof"));
    return new KeyFiles(
        shape.name(), stem, directory.resolve(stem + ".params"), directory.resolve(stem + ".vk"));
  }

  /**
   * A directory of parameters as it is told to executors: absolute, or a URI of a Hadoop file
   * system as it is.
   */
  public static String place(String written) {
    return KeyFetch.isNeeded(written)
        ? written
        : RunFiles.local(written).toAbsolutePath().normalize().toString();
  }

  /** Whether both files are there. */
  public boolean present() {
    return Files.exists(params) && Files.exists(vk);
  }

  /**
   * Sees that all files of all sizes are there.
   *
   * @throws InvalidInputException listing every missing file
   */
  static void requireAll(Collection<KeyFiles> keys, Path directory) {
    List<String> missing = new ArrayList<>();
    for (KeyFiles key : keys) {
      for (Path file : List.of(key.params, key.vk)) {
        if (!Files.exists(file)) {
          missing.add(file.getFileName() + " (" + key.sectorSize + ")");
        }
      }
    }
    if (!missing.isEmpty()) {
      throw new InvalidInputException(
          "parameters missing in "
              + directory
              + ": "
              + String.join(", ", missing)
              + "; fetch Filecoin's (with `curio fetch-params` or paramfetch) or make test ones"
              + " with: cuzk setup --sector-size SIZE --params "
              + directory);
    }
  }
}
