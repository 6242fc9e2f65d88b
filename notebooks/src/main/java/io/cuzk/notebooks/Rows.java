package io.cuzk.notebooks;

import java.awt.BasicStroke;
import java.awt.Color;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.knowm.xchart.AnnotationText;
import org.knowm.xchart.XYChart;
import org.knowm.xchart.XYChartBuilder;
import org.knowm.xchart.XYSeries;
import org.knowm.xchart.style.markers.SeriesMarkers;

/**
 * A picture of named rows with horizontal bars in them, the first row on top: XChart's lines, drawn
 * as thick as bars. Every other picture with names on an axis is one of these, since names are read
 * best along a line.
 */
final class Rows {
  /** Bars of one colour; the ends are where the lines break. */
  private static final class Layer {
    private final Color colour;
    private final double thickness;
    private final List<double[]> bars = new ArrayList<>();

    Layer(Color colour, double thickness) {
      this.colour = colour;
      this.thickness = thickness;
    }
  }

  private static final double THICKEST = 36;

  private static final int LONGEST = 44;

  private final List<String> names;
  private final double least;
  private final XYChart chart;
  private final Map<String, Layer> layers = new LinkedHashMap<>();
  private final double[] outside;

  /**
   * An empty picture.
   *
   * @param from where the horizontal axis begins
   * @param to where it ends
   * @param legend how many entries the legend will have; 0 for none
   */
  Rows(String title, String unit, List<String> names, double from, double to, int legend) {
    this.names = fitting(names);
    int height = Math.clamp(480L / Math.max(1, names.size()), 15, 40);
    // A bar is at least a pixel wide, or short phases vanish.
    this.least = (to - from) / Looks.WIDTH;
    this.outside = new double[] {from - (to - from)};
    chart =
        new XYChartBuilder()
            .width(Looks.WIDTH)
            .height(Math.max(110 + height * (names.size() + 1), legend == 0 ? 0 : 70 + 20 * legend))
            .title(title)
            .xAxisTitle(unit)
            .build();
    Looks.apply(chart.getStyler());
    chart.getStyler().setPlotGridHorizontalLinesVisible(false);
    chart.getStyler().setLegendVisible(legend > 0);
    chart.getStyler().setXAxisMin(from).setXAxisMax(to);
    chart.getStyler().setPlotContentSize(0.99);
    chart.getStyler().setAxisTicksMarksVisible(false);
    // Whole numbers are rows. With this hint ticks are a half apart: XChart looks for another
    // spacing, for ever, if one of the first three labels is long, and those are blank then.
    chart.getStyler().setYAxisMin(-1.0).setYAxisMax((double) names.size());
    chart.getStyler().setYAxisTickMarkSpacingHint((int) (0.55 * plotHeight() / (names.size() + 1)));
    chart.setCustomYAxisTickLabelsFormatter(this::label);
  }

  private double plotHeight() {
    return chart.getHeight() - 100.0;
  }

  /** Names that are not too long, and differ. */
  private static List<String> fitting(List<String> names) {
    List<String> fit = new ArrayList<>();
    for (String name : names) {
      int half = LONGEST / 2 - 1;
      String shown =
          name.length() <= LONGEST
              ? name
              : name.substring(0, half) + "…" + name.substring(name.length() - half);
      for (int i = 2; fit.contains(shown); i++) {
        shown = i + " " + shown.substring(Math.max(0, shown.length() - LONGEST + 6));
      }
      fit.add(shown);
    }
    return fit;
  }

  /**
   * Rows have names, other ticks blanks. XChart looks for a spacing at which no two labels are the
   * same, for ever if need be: so the blanks are numbers, in digits of two kinds.
   */
  private String label(double value) {
    long row = Math.round(value);
    if (Math.abs(value - row) < 1e-9 && row >= 0 && row < names.size()) {
      return names.get((int) (names.size() - 1 - row));
    }
    return Long.toBinaryString(Math.round((value + 2) * 64))
        .replace('0', ' ')
        .replace('1', '\u200a');
  }

  /**
   * Adds a bar.
   *
   * @param layer bars of one name have one colour, and one entry in the legend
   * @param thickness of a row's height, up to 1
   */
  Rows bar(String layer, Color colour, double thickness, int row, double from, double to) {
    layers
        .computeIfAbsent(layer, added -> new Layer(colour, thickness))
        .bars
        .add(new double[] {row, from, Math.max(to, from + least)});
    return this;
  }

  /** Writes to the right of a place in a row. */
  Rows text(int row, double at, String text) {
    // Annotations are centred: half of the text's width, some 7 pixels a letter, to the right.
    double shift = (7.0 * text.length() / 2 + 6) * least * 1.35;
    chart.addAnnotation(new AnnotationText(text, at + shift, names.size() - 1.0 - row, false));
    return this;
  }

  /** The chart, with the layers in the order in which they were first named. */
  XYChart chart() {
    float pixels = (float) Math.min(THICKEST, plotHeight() / (names.size() + 1));
    layers.forEach(
        (name, layer) -> {
          double[] x = new double[3 * layer.bars.size()];
          double[] y = new double[x.length];
          for (int i = 0; i < layer.bars.size(); i++) {
            double[] bar = layer.bars.get(i);
            double at = names.size() - 1.0 - bar[0];
            x[3 * i] = bar[1];
            x[3 * i + 1] = bar[2];
            x[3 * i + 2] = bar[2];
            y[3 * i] = at;
            y[3 * i + 1] = at;
            y[3 * i + 2] = Double.NaN;
          }
          add(name + " ", x, y, layer.colour, (float) (layer.thickness * pixels))
              .setShowInLegend(false);
          // The legend draws a line as thick as the series': one of its own is thin enough.
          add(name, outside, new double[] {0}, layer.colour, 11);
        });
    return chart;
  }

  private XYSeries add(String name, double[] x, double[] y, Color colour, float thickness) {
    XYSeries series = chart.addSeries(name, x, y);
    series.setMarker(SeriesMarkers.NONE);
    series.setLineColor(colour);
    series.setLineStyle(new BasicStroke(thickness, BasicStroke.CAP_BUTT, BasicStroke.JOIN_MITER));
    return series;
  }
}
