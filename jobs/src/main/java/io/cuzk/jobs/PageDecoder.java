package io.cuzk.jobs;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * Decodes a column a page at a time, in the codings that Spark and DuckDB write: plain, or a
 * dictionary's indices in run lengths. parquet-java's own reader takes some fifty times as long,
 * value by value; it reads what is coded otherwise.
 */
final class PageDecoder {
  private static final Set<Encoding> KNOWN =
      EnumSet.of(
          Encoding.PLAIN,
          Encoding.RLE,
          Encoding.PLAIN_DICTIONARY,
          Encoding.RLE_DICTIONARY,
          // Named by old writers for repetition levels, which a flat column has none of.
          Encoding.BIT_PACKED);
  private static final Set<PrimitiveTypeName> TYPES =
      EnumSet.of(PrimitiveTypeName.INT32, PrimitiveTypeName.INT64, PrimitiveTypeName.BINARY);

  private final ColumnDescriptor column;
  private final PageReader pages;
  private final Dictionary dictionary;

  /** Of the page that is decoded: its values' bytes, how many rows it has, how many are null. */
  private ByteBuffer bytes;

  private int rows;
  private int values;
  private int rowsLeft;
  private int[] levels = {};
  private int[] indices = {};

  private PageDecoder(ColumnDescriptor column, PageReader pages, int rowsLeft) throws IOException {
    this.column = column;
    this.pages = pages;
    this.rowsLeft = rowsLeft;
    DictionaryPage page = pages.readDictionaryPage();
    dictionary = page == null ? null : page.getEncoding().initDictionary(column, page);
  }

  /** Whether a column is flat and in codings known here. */
  static boolean knows(ColumnDescriptor column, ColumnChunkMetaData chunk) {
    return column.getMaxRepetitionLevel() == 0
        && column.getMaxDefinitionLevel() <= 1
        && TYPES.contains(column.getPrimitiveType().getPrimitiveTypeName())
        && KNOWN.containsAll(chunk.getEncodings());
  }

  /** Appends a row group's column of whole numbers, each times a factor. */
  static void numbers(
      ColumnDescriptor column, PageReader pages, int groupRows, Columns.Numbers to, long factor)
      throws IOException {
    PageDecoder decoder = new PageDecoder(column, pages, groupRows);
    boolean wide = column.getPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.INT64;
    long[] words = decoder.dictionaryNumbers(wide, factor);
    long[] found = {};
    while (decoder.rowsLeft > 0) {
      boolean coded = decoder.open();
      int[] indices = decoder.indices;
      int count = decoder.values;
      if (found.length < decoder.rows) {
        found = new long[decoder.rows];
      }
      if (coded) {
        for (int i = 0; i < count; i++) {
          found[i] = words[indices[i]];
        }
      } else if (wide) {
        decoder.bytes.asLongBuffer().get(found, 0, count);
        for (int i = 0; factor != 1 && i < count; i++) {
          found[i] *= factor;
        }
      } else {
        for (int i = 0; i < count; i++) {
          found[i] = factor * decoder.bytes.getInt();
        }
      }
      decoder.spread(found);
      to.add(found, decoder.rows);
    }
  }

  /** Appends a row group's column of text. */
  static void text(ColumnDescriptor column, PageReader pages, int groupRows, Columns.Words to)
      throws IOException {
    PageDecoder decoder = new PageDecoder(column, pages, groupRows);
    int[] words = decoder.dictionaryWords(to);
    int[] found = {};
    while (decoder.rowsLeft > 0) {
      boolean coded = decoder.open();
      if (found.length < decoder.rows) {
        found = new int[decoder.rows];
      }
      if (coded) {
        for (int i = 0; i < decoder.values; i++) {
          found[i] = words[decoder.indices[i]];
        }
      } else {
        decoder.plainText(to, found);
      }
      decoder.spread(found);
      to.add(found, decoder.rows);
    }
  }

  private long[] dictionaryNumbers(boolean wide, long factor) {
    long[] words = new long[dictionary == null ? 0 : dictionary.getMaxId() + 1];
    for (int i = 0; i < words.length; i++) {
      words[i] = factor * (wide ? dictionary.decodeToLong(i) : dictionary.decodeToInt(i));
    }
    return words;
  }

  private int[] dictionaryWords(Columns.Words to) {
    int[] words = new int[dictionary == null ? 0 : dictionary.getMaxId() + 1];
    for (int i = 0; i < words.length; i++) {
      words[i] = to.code(dictionary.decodeToBinary(i).toStringUsingUTF8());
    }
    return words;
  }

  /** Neighbours are often the same: then nothing is made of the bytes. */
  private void plainText(Columns.Words to, int[] found) {
    byte[] all = bytes.array();
    int former = 0;
    int formerLength = -1;
    for (int i = 0; i < values; i++) {
      int length = bytes.getInt();
      int at = bytes.arrayOffset() + bytes.position();
      // Also refuses a length that is negative or beyond the page.
      bytes.position(bytes.position() + length);
      found[i] =
          length == formerLength
                  && Arrays.equals(all, at, at + length, all, former, former + length)
              ? found[i - 1]
              : to.code(new String(all, at, length, StandardCharsets.UTF_8));
      former = at;
      formerLength = length;
    }
  }

  /** Reads the next page's levels, and its indices if it has a dictionary's: it then tells. */
  private boolean open() throws IOException {
    DataPage page = pages.readPage();
    if (page == null) {
      throw new IllegalArgumentException("the last %d rows have no page".formatted(rowsLeft));
    }
    rows = page.getValueCount();
    if (rows <= 0 || rows > rowsLeft) {
      throw new IllegalArgumentException(
          "a page of %d rows where %d are left".formatted(rows, rowsLeft));
    }
    rowsLeft -= rows;
    values = rows;
    boolean levelled = column.getMaxDefinitionLevel() > 0;
    Encoding coding =
        switch (page) {
          case DataPageV1 first -> {
            bytes = littleEndian(first.getBytes().toByteArray());
            if (levelled && first.getDlEncoding() != Encoding.RLE) {
              throw new IllegalArgumentException(
                  "definition levels in the coding " + first.getDlEncoding());
            }
            if (levelled) {
              int length = bytes.getInt();
              int end = Math.addExact(bytes.position(), length);
              readLevels(bytes);
              bytes.position(end);
            }
            yield first.getValueEncoding();
          }
          case DataPageV2 second -> {
            if (levelled) {
              readLevels(littleEndian(second.getDefinitionLevels().toByteArray()));
            }
            bytes = littleEndian(second.getData().toByteArray());
            yield second.getDataEncoding();
          }
          default -> throw new IllegalArgumentException("a page of an unknown kind: " + page);
        };
    if (coding == Encoding.PLAIN) {
      return false;
    }
    if (dictionary == null || !coding.usesDictionary()) {
      throw new IllegalArgumentException("a page in the coding " + coding + " without dictionary");
    }
    if (indices.length < rows) {
      indices = new int[rows];
    }
    if (values > 0) {
      runs(bytes, bytes.get(), indices, values);
    }
    return true;
  }

  private static ByteBuffer littleEndian(byte[] bytes) {
    return ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
  }

  private void readLevels(ByteBuffer from) {
    if (levels.length < rows) {
      levels = new int[rows];
    }
    runs(from, 1, levels, rows);
    values = 0;
    for (int i = 0; i < rows; i++) {
      values += levels[i];
    }
  }

  /** Moves the values of a page to their rows, with null between them. */
  private void spread(long[] found) {
    if (values < rows) {
      int from = values;
      for (int row = rows - 1; row >= 0; row--) {
        found[row] = levels[row] == 0 ? Columns.NULL : found[--from];
      }
    }
  }

  private void spread(int[] found) {
    if (values < rows) {
      int from = values;
      for (int row = rows - 1; row >= 0; row--) {
        found[row] = levels[row] == 0 ? -1 : found[--from];
      }
    }
  }

  /**
   * Parquet's hybrid of run lengths and packed groups of eight.
   *
   * @param width bits of a value
   */
  static void runs(ByteBuffer from, int width, int[] to, int count) {
    if (width < 0 || width > 32) {
      throw new IllegalArgumentException("values of " + width + " bits");
    }
    long mask = (1L << width) - 1;
    for (int at = 0; at < count; ) {
      int header = varint(from);
      int length = header >>> 1;
      if (length == 0) {
        throw new IllegalArgumentException("an empty run");
      }
      if ((header & 1) == 0) {
        long value = 0;
        for (int shift = 0; shift < width; shift += 8) {
          value |= (from.get() & 0xffL) << shift;
        }
        int end = Math.min(count, at + Math.min(length, count - at));
        Arrays.fill(to, at, end, (int) (value & mask));
        at = end;
      } else {
        long end = Math.min(count, at + 8L * length);
        long bits = 0;
        int held = 0;
        while (at < end) {
          for (; held < width; held += 8) {
            bits |= (from.get() & 0xffL) << held;
          }
          to[at++] = (int) (bits & mask);
          bits >>>= width;
          held -= width;
        }
      }
    }
  }

  private static int varint(ByteBuffer from) {
    int value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      byte part = from.get();
      value |= (part & 0x7f) << shift;
      if (part >= 0) {
        return value;
      }
    }
    throw new IllegalArgumentException("a length of more than five bytes");
  }
}
