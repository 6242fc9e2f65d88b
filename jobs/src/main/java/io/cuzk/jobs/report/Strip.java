package io.cuzk.jobs.report;

import java.util.Locale;

/**
 * One horizontal strip of a picture as inline SVG: rectangles between 0 and 1 that stretch with the
 * page. Words stay outside, in HTML, so that they are readable at any width.
 */
final class Strip {
  private static final int WIDTH = 1000;

  private final Markup svg = new Markup();
  private final int height;

  Strip(String label, int height) {
    this.height = height;
    svg.add(
        "<svg class=\"strip\" role=\"img\" viewBox=\"0 0 "
            + WIDTH
            + " "
            + height
            + "\" style=\"height:"
            + height
            + "px\" preserveAspectRatio=\"none\" aria-label=\"%s\">",
        label);
  }

  /** A rectangle over the whole height with a tooltip; at least visible. */
  Strip bar(double from, double to, String colour, String title) {
    double width = Math.max(1, (to - from) * WIDTH);
    svg.add(
        "<rect x=\"%s\" y=\"0\" width=\"%s\" height=\"%s\" fill=\"%s\"><title>%s</title></rect>",
        number(from * WIDTH), number(width), height, colour, title);
    return this;
  }

  /** A thin vertical line. */
  Strip line(double at) {
    svg.add(
        "<rect class=\"tick\" x=\"%s\" y=\"0\" width=\"1\" height=\"%s\"/>",
        number(at * WIDTH), height);
    return this;
  }

  Markup end() {
    return svg.add("</svg>");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
