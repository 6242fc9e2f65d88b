package io.cuzk.jobs.report;

import java.util.List;
import java.util.Locale;

/** Text of a page while it is written: escaped words between literal tags. */
final class Markup {
  private final StringBuilder text = new StringBuilder();

  /** Adds literal markup; each {@code %s} is replaced by an escaped value. */
  Markup add(String literal, Object... values) {
    Object[] escaped = new Object[values.length];
    for (int i = 0; i < values.length; i++) {
      escaped[i] = escape(String.valueOf(values[i]));
    }
    text.append(values.length == 0 ? literal : String.format(Locale.ROOT, literal, escaped));
    return this;
  }

  Markup add(Markup other) {
    text.append(other.text);
    return this;
  }

  /** A table; cells of the columns from the given one on are numbers, to the right. */
  Markup table(List<String> header, int numbersFrom, List<List<String>> rows) {
    add("<div class=\"scroll\"><table><thead><tr>");
    for (int i = 0; i < header.size(); i++) {
      add("<th class=\"%s\">%s</th>", i < numbersFrom ? "t" : "n", header.get(i));
    }
    add("</tr></thead><tbody>");
    for (List<String> row : rows) {
      add("<tr>");
      for (int i = 0; i < row.size(); i++) {
        add("<td class=\"%s\">%s</td>", i < numbersFrom ? "t" : "n", row.get(i));
      }
      add("</tr>");
    }
    return add("</tbody></table></div>\n");
  }

  private static String escape(String value) {
    StringBuilder out = new StringBuilder(value.length());
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      switch (c) {
        case '&' -> out.append("&amp;");
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> out.append(c);
      }
    }
    return out.toString();
  }

  @Override
  public String toString() {
    return text.toString();
  }
}
