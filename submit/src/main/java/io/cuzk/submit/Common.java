package io.cuzk.submit;

import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What every command takes: help, JSON, stack traces; and where its output goes. */
final class Common {
  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  private boolean help;

  @Option(names = "--json", description = "Print one JSON object on stdout and nothing else.")
  private boolean json;

  @Option(names = "--stacktrace", description = "On a failure show where (also: CUZK_DEBUG=1).")
  private boolean stacktrace;

  PrintWriter out() {
    return spec.commandLine().getOut();
  }

  PrintWriter err() {
    return spec.commandLine().getErr();
  }

  boolean json() {
    return json;
  }

  /** A line of result for people; not printed with {@code --json}. */
  void say(String line) {
    if (!json) {
      out().println(line);
      out().flush();
    }
  }

  /** A line on stderr. */
  void note(String line) {
    err().println(line);
    err().flush();
  }

  /** The object of {@code --json}; not printed without. */
  void object(Map<String, ?> object) {
    if (json) {
      out().println(Json.text(object));
      out().flush();
    }
  }

  /** What was typed after {@code cuzk}. */
  List<String> words() {
    CommandSpec root = spec;
    while (root.parent() != null) {
      root = root.parent();
    }
    List<String> typed = root.commandLine().getParseResult().originalArgs();
    return typed == null ? List.of() : typed;
  }

  /** A table with a header, columns as wide as their cells. */
  void table(List<String> header, List<List<String>> rows) {
    int[] widths = new int[header.size()];
    for (int i = 0; i < widths.length; i++) {
      widths[i] = header.get(i).length();
      for (List<String> row : rows) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    say(line(header, widths));
    String[] rule = new String[widths.length];
    for (int i = 0; i < widths.length; i++) {
      rule[i] = "-".repeat(widths[i]);
    }
    say(line(Arrays.asList(rule), widths));
    rows.forEach(row -> say(line(row, widths)));
  }

  private static String line(List<String> cells, int[] widths) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < widths.length; i++) {
      text.append(cells.get(i)).append(" ".repeat(widths[i] - cells.get(i).length() + 2));
    }
    return text.toString().stripTrailing();
  }
}
