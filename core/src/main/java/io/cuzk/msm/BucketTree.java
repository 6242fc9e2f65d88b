package io.cuzk.msm;

import io.cuzk.field.AffineAdder;
import io.cuzk.field.AffineVector;
import io.cuzk.field.Arithmetic;
import io.cuzk.field.CoordinateField;

/**
 * Adds lists of points to buckets, many lists at a time: a pairwise tree in every list, whose pairs
 * of one round over all lists form one batch. Holds the scratch memory of one thread.
 */
final class BucketTree {
  private final AffineAdder adder;
  private final int batch;

  /** Points that one turn takes: half as many pairs in its first round. */
  private final int capacity;

  private final AffineVector nodes;
  private final int[] left;
  private final int[] right;

  /** The lists of a turn: where each begins in {@link #list}, and the last one ends. */
  private final int[] starts;

  private int[] list;
  private int[] next;

  BucketTree(Arithmetic arithmetic, CoordinateField field) {
    batch = arithmetic.preferredBatch(field);
    capacity = 2 * batch;
    adder = arithmetic.adder(field, batch);
    nodes = arithmetic.allocatePoints(field, 2 * capacity);
    left = new int[capacity];
    right = new int[capacity];
    starts = new int[batch + 1];
    list = new int[capacity];
    next = new int[capacity];
  }

  AffineAdder adder() {
    return adder;
  }

  int batch() {
    return batch;
  }

  /**
   * buckets[first + b] += Σ points[refs[offsets[b] … offsets[b + 1])] for 0 ≤ b &lt; count.
   * References are those of {@link AffineAdder}.
   */
  void accumulate(
      AffineVector buckets, int first, int count, AffineVector points, int[] refs, int[] offsets) {
    int b = 0;
    int at = offsets[0];
    while (b < count) {
      // One turn: whole lists, or a piece of a list that is longer than a turn.
      int from = b;
      int begin = at;
      int lists = 0;
      while (b < count && lists < batch && at - begin < capacity) {
        starts[lists++] = at - begin;
        int end = Math.min(offsets[b + 1], begin + capacity);
        at = end;
        if (end < offsets[b + 1]) {
          break; // the rest of this list in the next turn
        }
        b++;
      }
      starts[lists] = at - begin;
      if (at > begin) {
        turn(buckets, first + from, lists, points, refs, begin);
      }
    }
  }

  private void turn(
      AffineVector buckets, int first, int lists, AffineVector points, int[] refs, int begin) {
    int used = leaves(lists, points, refs, begin);
    while (true) {
      int pairs = 0;
      int kept = 0;
      int from = starts[0];
      for (int i = 0; i < lists; i++) {
        int to = starts[i + 1];
        starts[i] = kept;
        for (; from + 1 < to; from += 2) {
          left[pairs] = list[from];
          right[pairs] = list[from + 1];
          next[kept++] = (used + pairs++) << 1;
        }
        if (from < to) {
          next[kept++] = list[from++];
        }
      }
      starts[lists] = kept;
      if (pairs == 0) {
        break;
      }
      adder.add(nodes, used, nodes, left, 0, nodes, right, 0, pairs);
      used += pairs;
      int[] swap = list;
      list = next;
      next = swap;
    }
    for (int i = 0; i < lists; i++) {
      left[i] = (first + i) << 1;
      right[i] = starts[i] < starts[i + 1] ? next[starts[i]] : AffineAdder.NONE;
    }
    adder.add(buckets, first, buckets, left, 0, nodes, right, 0, lists);
  }

  /** The first round, from the points themselves; returns how many nodes there are. */
  private int leaves(int lists, AffineVector points, int[] refs, int begin) {
    int pairs = 0;
    int singles = 0;
    for (int i = 0; i < lists; i++) {
      pairs += (starts[i + 1] - starts[i]) >> 1;
      singles += (starts[i + 1] - starts[i]) & 1;
    }
    int pair = 0;
    int single = pairs;
    int kept = 0;
    int from = starts[0];
    int[] singleRefs = next;
    for (int i = 0; i < lists; i++) {
      int to = starts[i + 1];
      starts[i] = kept;
      for (; from + 1 < to; from += 2) {
        left[pair] = refs[begin + from];
        right[pair] = refs[begin + from + 1];
        list[kept++] = pair++ << 1;
      }
      if (from < to) {
        singleRefs[single - pairs] = refs[begin + from++];
        list[kept++] = single++ << 1;
      }
    }
    starts[lists] = kept;
    if (pairs > 0) {
      adder.add(nodes, 0, points, left, 0, points, right, 0, pairs);
    }
    adder.gather(nodes, pairs, points, singleRefs, 0, singles);
    return pairs + singles;
  }
}
