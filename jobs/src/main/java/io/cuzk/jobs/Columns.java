package io.cuzk.jobs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Some columns of a dataset in flat arrays: numbers as long, text as codes of a dictionary. Times
 * are nanoseconds since 1970, truth values 0 and 1. Not thread-safe while it is filled.
 */
public final class Columns {
  /** What {@link #longs} holds where the dataset has null. */
  public static final long NULL = Long.MIN_VALUE;

  private final Map<String, Numbers> numbers = new LinkedHashMap<>();
  private final Map<String, Words> words = new LinkedHashMap<>();
  private int rows;

  Columns() {}

  /** How many rows. */
  public int rows() {
    return rows;
  }

  /** A column of numbers, at least {@link #rows} long; {@link #NULL} for null. */
  public long[] longs(String column) {
    return find(numbers, column).values;
  }

  /** A column of text as indices into {@link #words}, at least {@link #rows} long; -1 for null. */
  public int[] codes(String column) {
    return find(words, column).codes;
  }

  /** The different texts of a column, in order of appearance. */
  public List<String> words(String column) {
    return find(words, column).list;
  }

  /** One text; null for null. */
  public String text(String column, int row) {
    Words at = find(words, column);
    return at.codes[row] < 0 ? null : at.list.get(at.codes[row]);
  }

  private static <T> T find(Map<String, T> among, String column) {
    T found = among.get(column);
    if (found == null) {
      throw new IllegalArgumentException("column " + column + " was not read: " + among.keySet());
    }
    return found;
  }

  Numbers numbers(String column) {
    return numbers.computeIfAbsent(column, name -> new Numbers());
  }

  Words texts(String column) {
    return words.computeIfAbsent(column, name -> new Words());
  }

  /** Makes room in every column for further rows. */
  void grow(int more) {
    rows = Math.addExact(rows, more);
    numbers.values().forEach(column -> column.reserve(rows));
    words.values().forEach(column -> column.reserve(rows));
  }

  /** A column of numbers while it is filled. */
  static final class Numbers {
    private long[] values = new long[0];
    private int size;

    void add(long value) {
      values[size++] = value;
    }

    void add(long[] more, int count) {
      System.arraycopy(more, 0, values, size, count);
      size += count;
    }

    private void reserve(int rows) {
      if (values.length < rows) {
        values = Arrays.copyOf(values, Math.max(rows, values.length + values.length / 2));
      }
    }
  }

  /** A column of text while it is filled. */
  static final class Words {
    private final Map<String, Integer> byWord = new HashMap<>();
    private final List<String> list = new ArrayList<>();
    private int[] codes = new int[0];
    private int size;

    int code(String word) {
      return byWord.computeIfAbsent(
          word,
          added -> {
            list.add(added);
            return list.size() - 1;
          });
    }

    void add(int code) {
      codes[size++] = code;
    }

    void addNulls(int count) {
      Arrays.fill(codes, size, size + count, -1);
      size += count;
    }

    void add(int[] more, int count) {
      System.arraycopy(more, 0, codes, size, count);
      size += count;
    }

    private void reserve(int rows) {
      if (codes.length < rows) {
        codes = Arrays.copyOf(codes, Math.max(rows, codes.length + codes.length / 2));
      }
    }
  }
}
