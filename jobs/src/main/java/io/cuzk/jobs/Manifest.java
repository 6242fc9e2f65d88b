package io.cuzk.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cuzk.InvalidInputException;
import io.cuzk.prover.PartitionOrder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hadoop.fs.Path;

/**
 * A list of C1 files with what is known about each: CSV with a header of {@code
 * path,miner,sector,priority,deadline} in any order, {@code path} required, or one JSON object of
 * these members a line. Paths are relative to the manifest. A higher priority comes first, then an
 * earlier deadline (ISO-8601 with an offset). CSV values hold no comma and no quote.
 */
final class Manifest {
  private static final int LARGEST = 1 << 28;
  private static final List<String> COLUMNS =
      List.of("path", "miner", "sector", "priority", "deadline");
  private static final ObjectMapper JSON = new ObjectMapper();

  private Manifest() {}

  /**
   * One C1 file.
   *
   * @param where the manifest and the line in it, for messages
   */
  record Line(
      String where,
      String path,
      Long minerId,
      Long sectorNumber,
      int priority,
      long deadlineMillis) {}

  /** Whether a file of that name is a manifest and no C1 file. */
  static boolean isManifest(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.endsWith(".csv") || lower.endsWith(".jsonl") || lower.endsWith(".ndjson");
  }

  /**
   * Reads a manifest.
   *
   * @throws InvalidInputException naming the line and the column that cannot be read
   */
  static List<Line> read(Path manifest, RunFiles files) {
    String shown = RunFiles.show(manifest);
    byte[] content = files.read(manifest, LARGEST);
    String text = new String(content == null ? new byte[0] : content, StandardCharsets.UTF_8);
    // A spreadsheet's CSV begins with a byte order mark.
    String[] lines = (text.startsWith("\uFEFF") ? text.substring(1) : text).split("\\R");
    boolean csv = manifest.getName().toLowerCase(Locale.ROOT).endsWith(".csv");
    List<Line> found = new ArrayList<>();
    List<String> header = null;
    for (int i = 0; i < lines.length; i++) {
      if (lines[i].isBlank()) {
        continue;
      }
      String where = shown + " line " + (i + 1);
      if (csv && header == null) {
        header = header(where, lines[i]);
        continue;
      }
      found.add(line(where, csv ? cells(where, header, lines[i]) : members(where, lines[i])));
    }
    if (found.isEmpty()) {
      throw new InvalidInputException(shown + " names no C1 file");
    }
    return found;
  }

  private static List<String> header(String where, String line) {
    List<String> names = new ArrayList<>();
    for (String cell : line.split(",", -1)) {
      String name = cell.strip();
      requireColumn(where, name);
      if (names.contains(name)) {
        throw new InvalidInputException(where + ": column '" + name + "' is there twice");
      }
      names.add(name);
    }
    if (!names.contains("path")) {
      throw new InvalidInputException(
          where + ": no column 'path'; the header names some of " + String.join(",", COLUMNS));
    }
    return names;
  }

  private static void requireColumn(String where, String name) {
    if (!COLUMNS.contains(name)) {
      throw new InvalidInputException(
          where
              + ": no column '"
              + name
              + "'"
              + NearestName.hint(name, COLUMNS)
              + "; they are "
              + String.join(", ", COLUMNS));
    }
  }

  private static Map<String, String> cells(String where, List<String> header, String line) {
    String[] cells = line.split(",", -1);
    if (cells.length != header.size() || line.indexOf('"') >= 0) {
      throw new InvalidInputException(
          "%s: %d values without quotes are expected, found: %s"
              .formatted(where, header.size(), line));
    }
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < cells.length; i++) {
      if (!cells[i].isBlank()) {
        values.put(header.get(i), cells[i].strip());
      }
    }
    return values;
  }

  private static Map<String, String> members(String where, String line) {
    JsonNode object;
    try {
      object = JSON.readTree(line);
    } catch (IOException e) {
      throw new InvalidInputException(where + " is no JSON object: " + RunFiles.reason(e), e);
    }
    if (!object.isObject()) {
      throw new InvalidInputException(where + " is no JSON object");
    }
    Map<String, String> values = new HashMap<>();
    object
        .properties()
        .forEach(
            member -> {
              requireColumn(where, member.getKey());
              if (!member.getValue().isNull()) {
                values.put(member.getKey(), member.getValue().asText());
              }
            });
    return values;
  }

  private static Line line(String where, Map<String, String> values) {
    String path = values.get("path");
    if (path == null || path.isEmpty()) {
      throw new InvalidInputException(where + ": 'path' is missing");
    }
    String miner = values.get("miner");
    if (miner != null) {
      miner = miner.replaceFirst("^[ft]0", "");
    }
    Long priority = number(where, "priority", values.get("priority"), "-?\\d{1,9}");
    return new Line(
        where,
        path,
        number(where, "miner", miner, "\\d{1,18}"),
        number(where, "sector", values.get("sector"), "\\d{1,18}"),
        priority == null ? 0 : priority.intValue(),
        deadline(where, values.get("deadline")));
  }

  private static Long number(String where, String column, String text, String form) {
    if (text == null) {
      return null;
    }
    if (!text.matches(form)) {
      throw new InvalidInputException(where + ", " + column + ": '" + text + "' is no number");
    }
    return Long.valueOf(text);
  }

  private static long deadline(String where, String text) {
    if (text == null) {
      return PartitionOrder.NO_DEADLINE;
    }
    try {
      return java.time.OffsetDateTime.parse(text).toInstant().toEpochMilli();
    } catch (DateTimeException e) {
      throw new InvalidInputException(
          "%s, deadline: '%s' is no time; expected as in %s"
              .formatted(where, text, Instant.ofEpochSecond(1_800_000_000)),
          e);
    }
  }
}
