package io.cuzk.jobs;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** The known name that a mistyped one most likely meant. */
public final class NearestName {
  private NearestName() {}

  /** The name at the smallest edit distance, unless even that one differs in more than half. */
  public static Optional<String> of(String typed, Collection<String> known) {
    return known.stream()
        .min(Comparator.comparingInt(name -> distance(typed, name)))
        .filter(name -> 2 * distance(typed, name) <= Math.max(name.length(), typed.length()));
  }

  /** {@code "; did you mean X?"} or nothing. */
  public static String hint(String typed, Collection<String> known) {
    return of(typed, known).map(name -> "; did you mean " + name + "?").orElse("");
  }

  /** Levenshtein's distance, case ignored. */
  private static int distance(String left, String right) {
    String a = left.toLowerCase(Locale.ROOT);
    String b = right.toLowerCase(Locale.ROOT);
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }
}
