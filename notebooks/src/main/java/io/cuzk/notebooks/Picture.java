package io.cuzk.notebooks;

import java.awt.Color;
import java.awt.Graphics2D;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.imageio.ImageIO;
import org.knowm.xchart.internal.chartpart.Chart;

/**
 * A chart as PNG, with two pixels for each of the page's.
 *
 * @param title for readers who cannot see it
 * @param width on the page
 * @param height on the page
 * @param png the encoded image
 */
public record Picture(String title, int width, int height, byte[] png) {
  private static final int SCALE = 2;

  /** Draws a chart on white. */
  public static Picture of(Chart<?, ?> chart) {
    int width = chart.getWidth();
    int height = chart.getHeight();
    BufferedImage image =
        new BufferedImage(SCALE * width, SCALE * height, BufferedImage.TYPE_INT_RGB);
    Graphics2D graphics = image.createGraphics();
    try {
      graphics.setColor(Color.WHITE);
      graphics.fillRect(0, 0, image.getWidth(), image.getHeight());
      graphics.scale(SCALE, SCALE);
      chart.paint(graphics, width, height);
    } finally {
      graphics.dispose();
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try {
      if (!ImageIO.write(image, "png", out)) {
        throw new IllegalStateException("this Java cannot write PNG");
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Picture(chart.getTitle(), width, height, out.toByteArray());
  }

  @Override
  public String toString() {
    return title + " (" + width + " × " + height + ")";
  }
}
