package io.cuzk.submit;

import io.cuzk.InvalidInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Runs of several variants in turn, so that what changes on the machine meanwhile meets all of them
 * alike. Every other round goes backwards: no variant always follows the same one.
 */
final class InterleavedRuns {
  /**
   * What differs from run to run.
   *
   * @param label as it was typed
   * @param settings Spark's, by full name
   */
  record Variant(String label, Map<String, String> settings) {
    /**
     * Reads {@code synthesis=reference} or {@code synthesis=compiled+threads=1}: keys of {@code
     * spark.cuzk.} may stand without that prefix.
     *
     * @throws InvalidInputException if it has another form
     */
    static Variant parse(String text, String prefix) {
      Map<String, String> settings = new LinkedHashMap<>();
      for (String part : text.split("\\+")) {
        int equals = part.indexOf('=');
        if (equals <= 0 || equals == part.length() - 1) {
          throw new InvalidInputException(
              "variant %s: expected KEY=VALUE, several joined by +, for example %s"
                  .formatted(text, "synthesis=compiled+threads=1"));
        }
        String key = part.substring(0, equals).strip();
        settings.put(key.startsWith("spark.") ? key : prefix + key, part.substring(equals + 1));
      }
      return new Variant(text, settings);
    }

    /** A name for its directory. */
    String directory() {
      return label.replaceAll("[^A-Za-z0-9.]+", "-");
    }
  }

  /** One run of a variant. */
  record Run(Variant variant, int round, Path directory) {
    /** What is typed to make it: the words that all runs have in common, and its own. */
    List<String> words(List<String> common) {
      List<String> words = new ArrayList<>(common);
      words.add("--out=" + directory);
      variant.settings().forEach((key, value) -> words.add("--conf=" + key + "=" + value));
      return words;
    }
  }

  private final List<Variant> variants;
  private final List<Run> runs = new ArrayList<>();

  /**
   * Plans them.
   *
   * @param out the directory that gets a directory for each variant, with one for each round in it
   * @throws InvalidInputException if two variants are the same or a run is already there
   */
  InterleavedRuns(List<Variant> variants, int rounds, Path out) {
    this.variants = List.copyOf(variants);
    if (variants.stream().map(Variant::directory).distinct().count() < variants.size()) {
      throw new InvalidInputException(
          "--interleave: variants must differ, found "
              + variants.stream().map(Variant::label).toList());
    }
    for (int round = 1; round <= rounds; round++) {
      List<Run> next = new ArrayList<>();
      for (Variant variant : variants) {
        Path directory = out.resolve(variant.directory()).resolve(Integer.toString(round));
        if (Files.exists(directory)) {
          throw new InvalidInputException(
              directory
                  + " is already there, and a run that is finished proves nothing again: give"
                  + " another --out, or remove it");
        }
        next.add(new Run(variant, round, directory));
      }
      if (round % 2 == 0) {
        Collections.reverse(next);
      }
      runs.addAll(next);
    }
  }

  /** All of them, in the order in which they are to be made. */
  List<Run> runs() {
    return Collections.unmodifiableList(runs);
  }

  /** Per variant its directories joined by commas, as {@code cuzk compare} takes them. */
  List<String> sides(UnaryOperator<String> shown) {
    return variants.stream()
        .map(
            variant ->
                String.join(
                    ",",
                    runs.stream()
                        .filter(run -> run.variant().equals(variant))
                        .sorted((a, b) -> Integer.compare(a.round(), b.round()))
                        .map(run -> shown.apply(run.directory().toString()))
                        .toList()))
        .toList();
  }
}
