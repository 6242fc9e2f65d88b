package io.cuzk.notebooks.kernel;

import java.util.List;

/** A cell that does not compile or that threw: its lines are what a reader of the notebook sees. */
final class CellException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final List<String> lines;

  CellException(List<String> lines) {
    super(lines.getFirst());
    this.lines = List.copyOf(lines);
  }

  List<String> lines() {
    return lines;
  }
}
