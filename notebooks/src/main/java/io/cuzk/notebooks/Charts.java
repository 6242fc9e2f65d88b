package io.cuzk.notebooks;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.knowm.xchart.CategoryChart;
import org.knowm.xchart.CategoryChartBuilder;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/** The pictures: one call each, with title, axes and units. */
public final class Charts {
  private Charts() {}

  /** Phases over time: a row for every executor, device and task slot; white is idle. */
  public static XYChart gantt(String title, Timeline timeline) {
    return gantt(title, timeline, 0, timeline.seconds());
  }

  /** The same from a second of the run to another. */
  public static XYChart gantt(String title, Timeline timeline, double from, double to) {
    double end = Math.max(Math.min(to, timeline.seconds()), from + 1e-3);
    List<Timeline.Piece> pieces = timeline.pieces(from, end);
    Set<String> phases = new LinkedHashSet<>(Palette.PHASES);
    pieces.forEach(piece -> phases.add(piece.phase()));
    phases.removeIf(phase -> pieces.stream().noneMatch(piece -> piece.phase().equals(phase)));
    Rows rows =
        new Rows(
            title,
            "seconds since the first task began",
            timeline.laneNames(),
            from,
            end,
            phases.size());
    for (String phase : phases) {
      for (Timeline.Piece piece : pieces) {
        if (piece.phase().equals(phase)) {
          rows.bar(phase, Palette.of(phase), 0.8, piece.lane(), piece.begin(), piece.end());
        }
      }
    }
    return rows.chart();
  }

  /** One bar for each name, from 0, with its value; a colour for each phase. */
  public static XYChart bars(String title, String unit, List<String> names, double[] values) {
    double most = Arrays.stream(values).filter(Double::isFinite).max().orElse(1);
    Rows rows = new Rows(title, unit, names, 0, 1.12 * Math.max(most, 1e-9), 0);
    for (int i = 0; i < values.length; i++) {
      String name = names.get(i);
      Color colour = Palette.PHASES.contains(name) ? Palette.of(name) : Palette.series(0);
      if (Double.isFinite(values[i])) {
        rows.bar(name, colour, 0.7, i, 0, values[i]).text(i, values[i], Table.number(values[i]));
      }
    }
    return rows.chart();
  }

  /**
   * A bar for each group, made of parts one after the other.
   *
   * @param parts a value per group for each part
   */
  public static XYChart stacked(
      String title, String unit, List<String> groups, Map<String, double[]> parts) {
    double[] ends = new double[groups.size()];
    parts.values().forEach(part -> Arrays.setAll(ends, i -> ends[i] + part[i]));
    double most = Arrays.stream(ends).max().orElse(1);
    Rows rows = new Rows(title, unit, groups, 0, 1.12 * Math.max(most, 1e-9), parts.size());
    double[] at = new double[groups.size()];
    parts.forEach(
        (name, part) -> {
          for (int i = 0; i < part.length; i++) {
            rows.bar(name, Palette.of(name), 0.7, i, at[i], at[i] + part[i]);
            at[i] += part[i];
          }
        });
    for (int i = 0; i < at.length; i++) {
      rows.text(i, at[i], Table.number(at[i]));
    }
    return rows.chart();
  }

  /** The waterfall between two runs: red steps are time that came on, green ones time that went. */
  public static XYChart waterfall(String title, Waterfall waterfall) {
    List<Waterfall.Step> steps = waterfall.steps();
    double low = Double.MAX_VALUE;
    double high = 0;
    for (Waterfall.Step step : steps) {
      low = Math.min(low, step.whole() ? step.to() : Math.min(step.from(), step.to()));
      high = Math.max(high, Math.max(step.from(), step.to()));
    }
    // Equal runs make a flat picture, not one of rounding errors.
    low = Math.min(low, 0.95 * high);
    double begin = Math.max(0, low - 0.35 * (high - low));
    Rows rows =
        new Rows(
            title,
            waterfall.measure()
                + " seconds of a median partition"
                + (begin > 0 ? " (the axis does not begin at 0)" : ""),
            steps.stream().map(Waterfall.Step::name).toList(),
            begin,
            high + 0.14 * (high - begin),
            3);
    for (int i = 0; i < steps.size(); i++) {
      Waterfall.Step step = steps.get(i);
      double from = step.whole() ? begin : Math.min(step.from(), step.to());
      double to = Math.max(step.from(), step.to());
      String part = step.whole() ? "total" : step.to() > step.from() ? "more" : "less";
      Color colour =
          switch (part) {
            case "total" -> Palette.WHOLE;
            case "more" -> Palette.SLOWER;
            default -> Palette.FASTER;
          };
      double change = step.to() - step.from();
      rows.bar(part, colour, 0.7, i, from, to)
          .text(
              i,
              to,
              step.whole()
                  ? Table.number(step.to())
                  : (change < 0 ? "−" : "+") + Table.number(Math.abs(change)));
    }
    return rows.chart();
  }

  /** For each name the quartiles as a box, the median as a line, and the 5th to 95th percentile. */
  public static XYChart boxes(String title, String unit, Map<String, double[]> samples) {
    double most =
        samples.values().stream().mapToDouble(v -> Medians.quantile(v, 0.95)).max().orElse(1);
    Rows rows = new Rows(title, unit, List.copyOf(samples.keySet()), 0, 1.12 * most, 3);
    int row = 0;
    for (double[] values : samples.values()) {
      double median = Medians.median(values);
      double high = Medians.quantile(values, 0.95);
      rows.bar("5 % to 95 %", Palette.series(6), 0.1, row, Medians.quantile(values, 0.05), high);
      rows.bar(
          "quartiles",
          Palette.series(0),
          0.6,
          row,
          Medians.quantile(values, 0.25),
          Medians.quantile(values, 0.75));
      double half = 0.0015 * most;
      rows.bar("median", Palette.series(1), 0.8, row, median - half, median + half);
      rows.text(row, high, Table.number(median));
      row++;
    }
    return rows.chart();
  }

  /** How often values lie in equal steps between the least and the largest. */
  public static CategoryChart histogram(String title, String unit, double[] values) {
    double[] kept = Arrays.stream(values).filter(value -> !Double.isNaN(value)).toArray();
    double low = Arrays.stream(kept).min().orElse(0);
    double high = Math.max(Arrays.stream(kept).max().orElse(1), low * 1.0001 + 1e-9);
    int bins = Math.clamp((long) Math.ceil(2 * Math.cbrt(kept.length)), 5, 40);
    List<Double> counts = new ArrayList<>(Collections.nCopies(bins, 0.0));
    for (double value : kept) {
      int bin = Math.min(bins - 1, (int) ((value - low) / (high - low) * bins));
      counts.set(bin, counts.get(bin) + 1);
    }
    List<String> names = new ArrayList<>();
    int decimals = (int) Math.clamp(Math.ceil(-Math.log10((high - low) / bins)), 0, 6);
    for (int i = 0; i < bins; i++) {
      double middle = low + (high - low) * (i + 0.5) / bins;
      names.add(String.format(Locale.ROOT, "%." + decimals + "f", middle));
    }
    CategoryChart chart =
        new CategoryChartBuilder()
            .width(Looks.WIDTH)
            .height(Looks.HEIGHT)
            .title(title)
            .xAxisTitle(unit)
            .yAxisTitle("partitions")
            .build();
    Looks.apply(chart.getStyler());
    chart.getStyler().setAvailableSpaceFill(0.96);
    chart.getStyler().setXAxisMaxLabelCount(12);
    chart.getStyler().setPlotGridVerticalLinesVisible(false);
    chart.getStyler().setLegendVisible(false);
    chart.getStyler().setYAxisMin(0.0);
    chart.getStyler().setYAxisDecimalPattern("#,###");
    chart.addSeries("partitions", names, counts).setFillColor(Palette.series(0));
    return chart;
  }

  /**
   * Lines with marks.
   *
   * @param lines per name the x and the y values
   */
  public static XYChart lines(String title, String x, String y, Map<String, double[][]> lines) {
    XYChart chart =
        new XYChartBuilder()
            .width(Looks.WIDTH)
            .height(Looks.HEIGHT)
            .title(title)
            .xAxisTitle(x)
            .yAxisTitle(y)
            .build();
    Looks.apply(chart.getStyler());
    chart.getStyler().setXAxisMin(0.0).setYAxisMin(0.0);
    chart.getStyler().setLegendVisible(lines.size() > 1);
    Map<String, double[][]> ordered = new LinkedHashMap<>(lines);
    int i = 0;
    for (Map.Entry<String, double[][]> line : ordered.entrySet()) {
      double[][] points = line.getValue();
      XYSeries series = chart.addSeries(line.getKey(), points[0], points[1]);
      series.setMarker(points[0].length < 50 ? SeriesMarkers.CIRCLE : SeriesMarkers.NONE);
      series.setMarkerColor(Palette.series(i));
      series.setLineColor(Palette.series(i));
      series.setLineStyle(new BasicStroke(2f));
      i++;
    }
    return chart;
  }
}
