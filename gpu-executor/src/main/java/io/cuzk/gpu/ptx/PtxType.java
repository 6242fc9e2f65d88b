package io.cuzk.gpu.ptx;

import java.util.Locale;

/** The types of PTX that field arithmetic needs: predicates and integers. */
enum PtxType {
  PRED(1, false),
  B8(8, false),
  U8(8, false),
  S8(8, true),
  B16(16, false),
  U16(16, false),
  S16(16, true),
  B32(32, false),
  U32(32, false),
  S32(32, true),
  B64(64, false),
  U64(64, false),
  S64(64, true);

  final int bits;
  final boolean signed;

  PtxType(int bits, boolean signed) {
    this.bits = bits;
    this.signed = signed;
  }

  boolean wide() {
    return bits == 64;
  }

  int bytes() {
    return Math.max(1, bits / 8);
  }

  /** The type of that name without its dot; null for what is none. */
  static PtxType named(String name) {
    for (PtxType type : values()) {
      if (type.name().toLowerCase(Locale.ROOT).equals(name)) {
        return type;
      }
    }
    return null;
  }
}
