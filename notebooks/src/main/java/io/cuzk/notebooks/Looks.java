package io.cuzk.notebooks;

import java.awt.BasicStroke;
import java.awt.Color;
import java.awt.Font;
import java.util.Locale;
import org.knowm.xchart.style.AxesChartStyler;
import org.knowm.xchart.style.Styler;

/** What all pictures look like: on white, quiet grid, the legend on the right. */
final class Looks {
  static final int WIDTH = 960;
  static final int HEIGHT = 420;
  static final Color TEXT = new Color(0x25313f);
  private static final Color GRID = new Color(0xe3e6ea);
  private static final Font PLAIN = new Font(Font.SANS_SERIF, Font.PLAIN, 12);

  private Looks() {}

  static void apply(AxesChartStyler styler) {
    styler.setBaseFont(PLAIN);
    styler.setLocale(Locale.ROOT);
    styler.setChartBackgroundColor(Color.WHITE);
    styler.setPlotBackgroundColor(Color.WHITE);
    styler.setPlotBorderVisible(false);
    styler.setChartFontColor(TEXT);
    styler.setChartTitleFont(PLAIN.deriveFont(Font.BOLD, 15f));
    styler.setChartTitleBoxVisible(false);
    styler.setChartPadding(12);
    styler.setLegendBorderColor(Color.WHITE);
    styler.setLegendFont(PLAIN);
    styler.setLegendPosition(Styler.LegendPosition.OutsideE);
    styler.setLegendSeriesLineLength(14);
    styler.setAxisTickLabelsFont(PLAIN);
    styler.setAxisTitleFont(PLAIN);
    styler.setAxisTickLabelsColor(TEXT);
    styler.setPlotGridLinesColor(GRID);
    styler.setPlotGridLinesStroke(new BasicStroke(1f));
    styler.setAxisTickMarksColor(GRID);
    styler.setAnnotationTextFont(PLAIN);
    styler.setAnnotationTextFontColor(TEXT);
  }
}
