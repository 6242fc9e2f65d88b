package io.cuzk.porep;

import io.cuzk.InvalidInputException;

/** Where in which file a reader stands: the beginning of every message. Not thread-safe. */
final class FieldPath {
  private final String file;
  private final StringBuilder fields = new StringBuilder();

  FieldPath(String file) {
    this.file = file;
  }

  String file() {
    return file;
  }

  /** Goes into a field; the result undoes it through {@link #leave}. */
  int enter(String field) {
    int mark = fields.length();
    if (mark > 0) {
      fields.append('.');
    }
    fields.append(field);
    return mark;
  }

  /** Goes into an element of a list. */
  int enter(int index) {
    int mark = fields.length();
    fields.append('[').append(index).append(']');
    return mark;
  }

  void leave(int mark) {
    fields.setLength(mark);
  }

  /** What is wrong here. */
  InvalidInputException fault(String what) {
    return fault(what, null);
  }

  /** What is wrong here, and how it came to light. */
  InvalidInputException fault(String what, Throwable cause) {
    String where = fields.isEmpty() ? "" : fields + ": ";
    return new InvalidInputException(file + ": " + where + what, cause);
  }
}
