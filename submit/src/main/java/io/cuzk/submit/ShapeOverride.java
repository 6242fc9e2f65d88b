package io.cuzk.submit;

import io.cuzk.InvalidInputException;
import io.cuzk.jobs.NearestName;
import io.cuzk.porep.SectorShape;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A shape as {@code nodes=N,tree=8-8-0,layers=L,partitions=P,challenges=C}; what is left out is
 * that of the sector size with as many nodes.
 */
final class ShapeOverride implements ITypeConverter<SectorShape> {
  private static final List<String> KEYS =
      List.of("nodes", "tree", "layers", "partitions", "challenges");

  @Override
  public SectorShape convert(String text) {
    Map<String, String> given = new LinkedHashMap<>();
    for (String pair : text.split(",")) {
      int equals = pair.indexOf('=');
      String key = equals < 0 ? pair : pair.substring(0, equals);
      if (!KEYS.contains(key)) {
        throw new TypeConversionException(
            "no part '%s'%s; they are %s"
                .formatted(key, NearestName.hint(key, KEYS), String.join(", ", KEYS)));
      }
      if (equals < 0 || given.put(key, pair.substring(equals + 1)) != null) {
        throw new TypeConversionException("'" + key + "' needs one value, as in " + key + "=…");
      }
    }
    if (!given.containsKey("nodes")) {
      throw new TypeConversionException("nodes=N is missing");
    }
    long nodes = number("nodes", given.get("nodes"));
    SectorShape usual = usual(nodes, given);
    String tree = given.getOrDefault("tree", usual == null ? "" : usual.tree());
    if (!tree.matches("\\d{1,2}-\\d{1,2}-\\d{1,2}")) {
      throw new TypeConversionException("'" + tree + "' is no tree: 8-8-0 is expected");
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
      throw new TypeConversionException("'" + text + "' is no shape: " + e.getMessage());
    }
  }

  private static SectorShape usual(long nodes, Map<String, String> given) {
    try {
      return SectorShape.ofBytes(nodes * 32);
    } catch (InvalidInputException e) {
      if (given.size() < KEYS.size()) {
        throw new TypeConversionException(
            "no sector size has %d nodes, so all of %s are needed"
                .formatted(nodes, String.join(", ", KEYS)));
      }
      return null;
    }
  }

  private static int number(String key, Map<String, String> given, int usual) {
    return given.containsKey(key) ? (int) number(key, given.get(key)) : usual;
  }

  private static long number(String key, String text) {
    if (!text.matches("\\d{1,10}") || Long.parseLong(text) > 1L << 31) {
      throw new TypeConversionException(key + ": '" + text + "' is no number up to 2^31");
    }
    return Long.parseLong(text);
  }
}
