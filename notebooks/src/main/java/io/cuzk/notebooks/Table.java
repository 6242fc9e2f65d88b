package io.cuzk.notebooks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Rows under named columns: shown as an HTML table in a notebook, as text elsewhere. Immutable.
 *
 * @param columns their names
 * @param rows each as long as columns; null where there is no value
 */
public record Table(List<String> columns, List<List<Object>> rows) {
  /** More are of no use to a reader, and make the notebook heavy. */
  private static final int SHOWN = 200;

  /** A table of the given rows. */
  public static Table of(List<String> columns, List<List<Object>> rows) {
    for (List<Object> row : rows) {
      if (row.size() != columns.size()) {
        throw new IllegalArgumentException(
            "a row of " + row.size() + " values under " + columns.size() + " columns: " + row);
      }
    }
    return new Table(List.copyOf(columns), List.copyOf(rows));
  }

  /** Whether there is no row. */
  public boolean isEmpty() {
    return rows.isEmpty();
  }

  /** A column's values as text. */
  public List<String> texts(String column) {
    int at = index(column);
    return rows.stream().map(row -> String.valueOf(row.get(at))).toList();
  }

  /** A column's values as numbers; NaN where there is none. */
  public double[] numbers(String column) {
    int at = index(column);
    double[] values = new double[rows.size()];
    for (int i = 0; i < values.length; i++) {
      Object value = rows.get(i).get(at);
      if (value != null && !(value instanceof Number)) {
        throw new IllegalArgumentException(
            "column %s, row %d: expected a number, found %s".formatted(column, i, value));
      }
      values[i] = value == null ? Double.NaN : ((Number) value).doubleValue();
    }
    return values;
  }

  /** The rows that have a value in a column. */
  public Table where(String column, Object value) {
    int at = index(column);
    return new Table(columns, rows.stream().filter(row -> value.equals(row.get(at))).toList());
  }

  /** The different values of a column, in order of appearance. */
  public List<Object> distinct(String column) {
    int at = index(column);
    return rows.stream().map(row -> row.get(at)).distinct().toList();
  }

  private int index(String column) {
    int at = columns.indexOf(column);
    if (at < 0) {
      throw new IllegalArgumentException("no column " + column + ", only " + columns);
    }
    return at;
  }

  /** For the notebook's page: numbers right, every text escaped. */
  public String html() {
    StringBuilder page = new StringBuilder("<table><thead><tr>");
    for (int i = 0; i < columns.size(); i++) {
      boolean number = !rows.isEmpty() && rows.getFirst().get(i) instanceof Number;
      page.append(number ? "<th style=\"text-align:right\">" : "<th style=\"text-align:left\">");
      page.append(escaped(columns.get(i))).append("</th>");
    }
    page.append("</tr></thead><tbody>\n");
    for (List<Object> row : rows.subList(0, Math.min(SHOWN, rows.size()))) {
      page.append("<tr>");
      for (Object value : row) {
        page.append(
            value instanceof Number
                ? "<td style=\"text-align:right\">"
                : "<td style=\"text-align:left\">");
        page.append(escaped(text(value))).append("</td>");
      }
      page.append("</tr>\n");
    }
    page.append("</tbody></table>");
    if (rows.size() > SHOWN) {
      page.append("<p>").append(rows.size() - SHOWN).append(" more rows</p>");
    }
    return page.toString();
  }

  @Override
  public String toString() {
    List<String[]> lines = new ArrayList<>();
    lines.add(columns.toArray(String[]::new));
    for (List<Object> row : rows.subList(0, Math.min(SHOWN, rows.size()))) {
      lines.add(row.stream().map(Table::text).toArray(String[]::new));
    }
    int[] widths = new int[columns.size()];
    lines.forEach(line -> Arrays.setAll(widths, i -> Math.max(widths[i], line[i].length())));
    StringBuilder text = new StringBuilder();
    for (String[] line : lines) {
      for (int i = 0; i < widths.length; i++) {
        text.append(line[i]).append(" ".repeat(widths[i] - line[i].length() + 2));
      }
      text.append('\n');
    }
    return text.toString();
  }

  private static String text(Object value) {
    return switch (value) {
      case null -> "–";
      case Double d when !Double.isFinite(d) -> "–";
      case Double d -> number(d);
      case Float f -> number(f.doubleValue());
      case Long n -> String.format(Locale.ROOT, "%,d", n);
      case Integer n -> String.format(Locale.ROOT, "%,d", n);
      default -> value.toString();
    };
  }

  /** Four digits that count. */
  static String number(double value) {
    double size = Math.abs(value);
    int decimals =
        size >= 1000
            ? 0
            : size >= 100 ? 1 : size >= 10 ? 2 : size >= 0.1 ? 3 : size >= 0.01 ? 4 : 6;
    return size == 0 ? "0" : String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
