package io.cuzk.jobs.report;

import java.util.Locale;

/** Numbers as people read them. */
final class Figures {
  private Figures() {}

  /** Three digits and a unit: 3.21 ms, 12.3 s, 4 min 05 s, 2 h 03 min. */
  static String seconds(double s) {
    if (Double.isNaN(s)) {
      return "–";
    }
    double size = Math.abs(s);
    if (size < 1e-3) {
      return number(s * 1e6, 0) + " µs";
    }
    if (size < 1) {
      return number(s * 1e3, size < 0.01 ? 2 : size < 0.1 ? 1 : 0) + " ms";
    }
    if (size < 120) {
      return number(s, size < 10 ? 2 : 1) + " s";
    }
    long whole = Math.round(size);
    String sign = s < 0 ? "-" : "";
    return size < 7200
        ? "%s%d min %02d s".formatted(sign, whole / 60, whole % 60)
        : "%s%d h %02d min".formatted(sign, whole / 3600, whole / 60 % 60);
  }

  static String signed(double s) {
    return s < 0 ? seconds(s) : "+" + seconds(s);
  }

  static String percent(double part) {
    return Double.isNaN(part) ? "–" : number(100 * part, Math.abs(part) < 0.0995 ? 1 : 0) + " %";
  }

  /** +3.1 %; from eleven times on as a factor, since such percents say nothing. */
  static String change(double part) {
    return Double.isNaN(part)
        ? "–"
        : part >= 10
            ? String.format(Locale.ROOT, "×%.0f", 1 + part)
            : String.format(Locale.ROOT, "%+.1f %%", 100 * part);
  }

  /** Three digits, no unit. */
  static String rate(double value) {
    return Double.isFinite(value) ? number(value, value >= 100 ? 0 : value >= 10 ? 1 : 2) : "–";
  }

  static String bytes(double value) {
    String[] units = {"B", "KiB", "MiB", "GiB", "TiB"};
    int unit = 0;
    double left = value;
    while (left >= 1024 && unit < units.length - 1) {
      left /= 1024;
      unit++;
    }
    return number(left, left == Math.rint(left) ? 0 : 1) + " " + units[unit];
  }

  private static String number(double value, int decimals) {
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }
}
