package io.cuzk.curve;

import java.util.Objects;

/** Affine points one after another in one array, which is shared and not copied. */
public final class FlatPoints implements AffinePoints {
  private final Group group;
  private final long[] words;

  /**
   * The points of an array.
   *
   * @param words a multiple of {@link Group#affineWords()} words
   */
  public FlatPoints(Group group, long[] words) {
    if (words.length % group.affineWords() != 0) {
      throw new IllegalArgumentException(
          group.name()
              + " points take "
              + group.affineWords()
              + " words each, found "
              + words.length
              + " words");
    }
    this.group = group;
    this.words = words;
  }

  @Override
  public Group group() {
    return group;
  }

  @Override
  public long size() {
    return words.length / group.affineWords();
  }

  @Override
  public void read(long from, int count, long[] out, int at) {
    Objects.checkFromIndexSize(from, count, size());
    int n = group.affineWords();
    System.arraycopy(words, Math.toIntExact(from * n), out, at, count * n);
  }
}
