package io.cuzk.gpu.ptx;

import java.util.ArrayList;
import java.util.List;

/** The words of a PTX text with their lines, and a place among them. */
final class PtxLexer {
  private final List<String> tokens = new ArrayList<>();
  private final List<Integer> lines = new ArrayList<>();
  private int at;

  PtxLexer(String text) {
    int line = 1;
    int i = 0;
    while (i < text.length()) {
      char c = text.charAt(i);
      int end = i + 1;
      if (c == '\n') {
        line++;
      } else if (text.startsWith("//", i)) {
        end = text.indexOf('\n', i) < 0 ? text.length() : text.indexOf('\n', i);
      } else if (text.startsWith("/*", i)) {
        end = closing(text, "*/", i + 2, line) + 2;
        line += (int) text.substring(i, end).chars().filter(x -> x == '\n').count();
      } else if (c == '"') {
        end = closing(text, "\"", i + 1, line) + 1;
        add(text.substring(i, end), line);
      } else if (word(c)) {
        while (end < text.length()
            && (word(text.charAt(end))
                || text.startsWith("::", end)
                || text.startsWith("::", end - 1))) {
          end++;
        }
        add(text.substring(i, end), line);
      } else if (c > ' ') {
        add(String.valueOf(c), line);
      }
      i = end;
    }
  }

  private static boolean word(char c) {
    return Character.isLetterOrDigit(c) || c == '_' || c == '$' || c == '%' || c == '.';
  }

  private static int closing(String text, String mark, int from, int line) {
    int end = text.indexOf(mark, from);
    if (end < 0) {
      throw new SimulatedFault(
          SimulatedFault.Kind.SYNTAX, "line " + line + ": " + mark + " is missing");
    }
    return end;
  }

  private void add(String token, int line) {
    tokens.add(token);
    lines.add(line);
  }

  boolean more() {
    return at < tokens.size();
  }

  String peek() {
    return more() ? tokens.get(at) : "";
  }

  String next() {
    if (!more()) {
      throw error("the text ends too early");
    }
    return tokens.get(at++);
  }

  boolean take(String token) {
    if (peek().equals(token)) {
      at++;
      return true;
    }
    return false;
  }

  void expect(String token) {
    String found = next();
    if (!found.equals(token)) {
      at--;
      throw error("found " + found + ", expected " + token);
    }
  }

  /** The line of the next token. */
  int line() {
    return lines.isEmpty() ? 1 : lines.get(Math.min(at, lines.size() - 1));
  }

  /** Passes over the rest of the line of the token before. */
  void skipLine() {
    int line = lines.get(at - 1);
    while (more() && lines.get(at) == line) {
      at++;
    }
  }

  /** An integer with its sign. */
  long integer() {
    if (take("-")) {
      return -integer();
    }
    String word = next();
    String digits = word.endsWith("U") ? word.substring(0, word.length() - 1) : word;
    try {
      return digits.startsWith("0x") || digits.startsWith("0X")
          ? Long.parseUnsignedLong(digits.substring(2), 16)
          : Long.parseUnsignedLong(digits);
    } catch (NumberFormatException e) {
      at--;
      throw error("found " + word + ", expected an integer");
    }
  }

  SimulatedFault error(String message) {
    return new SimulatedFault(SimulatedFault.Kind.SYNTAX, "line " + line() + ": " + message);
  }
}
