package io.cuzk.circuit;

import java.util.Arrays;

/** Ints that are appended one by one. Not thread-safe. */
final class IntBuffer {
  private int[] values;
  private int size;

  IntBuffer() {
    values = new int[16];
  }

  IntBuffer add(int value) {
    if (size == values.length) {
      values = Arrays.copyOf(values, 2 * size);
    }
    values[size++] = value;
    return this;
  }

  IntBuffer add(long value) {
    return add((int) value).add((int) (value >>> 32));
  }

  int size() {
    return size;
  }

  int get(int i) {
    return values[i];
  }

  void set(int i, int value) {
    values[i] = value;
  }

  void clear() {
    size = 0;
  }

  int[] toArray() {
    return Arrays.copyOf(values, size);
  }
}
