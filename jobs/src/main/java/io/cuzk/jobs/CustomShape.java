package io.cuzk.jobs;

import io.cuzk.InvalidInputException;
import io.cuzk.porep.SectorShape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Shapes for experiments, written {@code nodes=N,tree=8-8-0,layers=L,partitions=P,challenges=C};
 * what is left out is that of the sector size with as many nodes. No chain takes their proofs.
 */
public final class CustomShape {
  private static final List<String> KEYS =
      List.of("nodes", "tree", "layers", "partitions", "challenges");

  private CustomShape() {}

  /**
   * The shape that a text describes; it carries the text as its name.
   *
   * @throws InvalidInputException saying what is wrong with the text
   */
  public static SectorShape parse(String text) {
    Map<String, String> given = new LinkedHashMap<>();
    for (String pair : text.split(",")) {
      int equals = pair.indexOf('=');
      String key = equals < 0 ? pair : pair.substring(0, equals);
      if (!KEYS.contains(key)) {
        throw new InvalidInputException(
            "no part '%s'%s; they are %s"
                .formatted(key, NearestName.hint(key, KEYS), String.join(", ", KEYS)));
      }
      if (equals < 0 || given.put(key, pair.substring(equals + 1)) != null) {
        throw new InvalidInputException("'" + key + "' needs one value, as in " + key + "=…");
      }
    }
    if (!given.containsKey("nodes")) {
      throw new InvalidInputException("nodes=N is missing");
    }
    long nodes = number("nodes", given.get("nodes"));
    SectorShape usual = usual(nodes, given);
    String tree = given.getOrDefault("tree", usual == null ? "" : usual.tree());
    if (!tree.matches("\\d{1,2}-\\d{1,2}-\\d{1,2}")) {
      throw new InvalidInputException("'" + tree + "' is no tree: 8-8-0 is expected");
    }
    String[] arities = tree.split("-");
    try {
      return new SectorShape(
          text,
          nodes * 32,
          Integer.parseInt(arities[0]),
          Integer.parseInt(arities[1]),
          Integer.parseInt(arities[2]),
          number("layers", given, usual == null ? 0 : usual.layers()),
          number("partitions", given, usual == null ? 0 : usual.partitions()),
          number("challenges", given, usual == null ? 0 : usual.challengesPerPartition()),
          false);
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException("'" + text + "' is no shape: " + e.getMessage(), e);
    }
  }

  /** The shape of a sector size, or of a text as above. */
  static SectorShape named(String name) {
    return isCustom(name) ? parse(name) : SectorShape.of(name);
  }

  static boolean isCustom(String name) {
    return name.indexOf('=') >= 0;
  }

  private static SectorShape usual(long nodes, Map<String, String> given) {
    try {
      return SectorShape.ofBytes(nodes * 32);
    } catch (InvalidInputException e) {
      if (given.size() < KEYS.size()) {
        throw new InvalidInputException(
            "no sector size has %d nodes, so all of %s are needed"
                .formatted(nodes, String.join(", ", KEYS)),
            e);
      }
      return null;
    }
  }

  private static int number(String key, Map<String, String> given, int usual) {
    return given.containsKey(key) ? (int) number(key, given.get(key)) : usual;
  }

  private static long number(String key, String text) {
    if (!text.matches("\\d{1,10}") || Long.parseLong(text) > 1L << 31) {
      throw new InvalidInputException(key + ": '" + text + "' is no number up to 2^31");
    }
    return Long.parseLong(text);
  }
}
