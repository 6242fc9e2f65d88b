package io.cuzk.r1cs;

import java.util.Arrays;

/**
 * The stack of open namespaces. Names are put together only when they are asked for, so that
 * entering costs two stores. Not thread-safe.
 */
public final class Namespaces {
  private static final int NO_INDEX = -1;

  private String[] names = new String[16];
  private int[] indices = new int[16];
  private int depth;

  /** The name of an index: the index takes the place of {@code #}, or follows after a space. */
  public static String format(String name, int index) {
    int mark = name.indexOf('#');
    return mark < 0
        ? name + " " + index
        : name.substring(0, mark) + index + name.substring(mark + 1);
  }

  /** Opens a namespace. */
  public void enter(String name) {
    enter(name, NO_INDEX);
  }

  /** Opens a namespace of a name and an index. */
  public void enter(String name, int index) {
    if (depth == names.length) {
      names = Arrays.copyOf(names, 2 * depth);
      indices = Arrays.copyOf(indices, 2 * depth);
    }
    names[depth] = name;
    indices[depth++] = index;
  }

  /** Closes the innermost namespace. */
  public void leave() {
    if (depth == 0) {
      throw new IllegalStateException("no namespace is open");
    }
    depth--;
  }

  /** How many are open. */
  public int depth() {
    return depth;
  }

  /** The open names from the outermost, joined by slashes. */
  public String path() {
    StringBuilder path = new StringBuilder();
    for (int i = 0; i < depth; i++) {
      path.append(i == 0 ? "" : "/")
          .append(indices[i] == NO_INDEX ? names[i] : format(names[i], indices[i]));
    }
    return path.toString();
  }
}
