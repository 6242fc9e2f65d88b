package io.cuzk.porep;

import java.util.List;

/** Finds the name that a mistyped one was meant to be (Levenshtein distance). */
final class NearestName {
  private NearestName() {}

  /** The nearest of the names if it is near enough to hide a typing error, otherwise null. */
  static String find(String typed, List<String> names) {
    String nearest = null;
    int least = 1 + Math.min(3, typed.length() / 3);
    for (String name : names) {
      int distance = distance(typed, name);
      if (distance < least) {
        least = distance;
        nearest = name;
      }
    }
    return nearest;
  }

  /** "; did you mean X?" or the list of the names. */
  static String hint(String typed, List<String> names) {
    String nearest = find(typed, names);
    return nearest == null
        ? "; expected " + String.join(", ", names)
        : "; did you mean " + nearest + "?";
  }

  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j <= b.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= b.length(); j++) {
        int substitute = diagonal + (same(a.charAt(i - 1), b.charAt(j - 1)) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(substitute, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }

  private static boolean same(char x, char y) {
    return Character.toLowerCase(x) == Character.toLowerCase(y);
  }
}
