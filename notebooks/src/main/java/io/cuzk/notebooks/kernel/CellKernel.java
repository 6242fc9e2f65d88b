package io.cuzk.notebooks.kernel;

import io.cuzk.notebooks.Picture;
import io.cuzk.notebooks.Table;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.dflib.jjava.jupyter.kernel.BaseKernel;
import org.dflib.jjava.jupyter.kernel.JupyterIO;
import org.dflib.jjava.jupyter.kernel.LanguageInfo;
import org.dflib.jjava.jupyter.kernel.ReplacementOptions;
import org.dflib.jjava.jupyter.kernel.comm.CommManager;
import org.dflib.jjava.jupyter.kernel.display.DisplayData;
import org.dflib.jjava.jupyter.kernel.display.Renderer;
import org.dflib.jjava.jupyter.kernel.util.StringStyler;
import org.knowm.xchart.internal.chartpart.Chart;

/** Answers Jupyter's requests: cells go to {@link Cells}, tables become HTML, charts PNG. */
final class CellKernel extends BaseKernel {
  private static final String VERSION = "1";

  private final Cells cells;

  private CellKernel(Cells cells) {
    super(
        "cuzk",
        VERSION,
        new LanguageInfo.Builder("java")
            .version(Runtime.version().toString())
            .mimetype("text/x-java-source")
            .fileExtension(".java")
            .pygments("java")
            .codemirror("text/x-java")
            .build(),
        List.of(),
        null,
        new JupyterIO(StandardCharsets.UTF_8),
        new CommManager(),
        new Renderer(),
        null,
        null,
        false,
        new StringStyler.Builder().build());
    this.cells = cells;
  }

  static CellKernel open() {
    return new CellKernel(new Cells());
  }

  @Override
  public Object evalRaw(String cell) {
    return cells.run(cell);
  }

  @Override
  public DisplayData eval(String cell) {
    return show(evalRaw(cell));
  }

  private DisplayData show(Object value) {
    return switch (value) {
      case null -> null;
      case Chart<?, ?> chart -> show(Picture.of(chart));
      case Picture picture -> {
        DisplayData data = new DisplayData(picture.toString());
        data.putData("image/png", Base64.getEncoder().encodeToString(picture.png()));
        // Drawn with twice the pixels: sharp on a fine screen, not larger on any.
        data.putMetaData("image/png", Map.of("width", picture.width(), "height", picture.height()));
        yield data;
      }
      case Table table -> {
        DisplayData data = new DisplayData(table.toString());
        data.putHTML(table.html());
        yield data;
      }
      default -> getRenderer().render(value);
    };
  }

  @Override
  public DisplayData inspect(String cell, int cursor, boolean detail) {
    String text = cells.documentation(cell, cursor);
    return text.isEmpty() ? null : new DisplayData(text);
  }

  @Override
  public ReplacementOptions complete(String cell, int cursor) {
    Cells.Completion found = cells.completions(cell, cursor);
    return new ReplacementOptions(found.texts(), found.from(), cursor);
  }

  @Override
  public String isComplete(String cell) {
    Boolean complete = cells.complete(cell);
    return complete == null ? "  " : complete ? IS_COMPLETE_YES : IS_COMPLETE_BAD;
  }

  @Override
  public List<String> formatError(Throwable failure) {
    return failure instanceof CellException cell ? cell.lines() : super.formatError(failure);
  }

  @Override
  public void interrupt() {
    cells.interrupt();
  }

  @Override
  public void onShutdown(boolean restarts) {
    super.onShutdown(restarts);
    cells.close();
  }
}
