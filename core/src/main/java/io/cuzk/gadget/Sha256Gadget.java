package io.cuzk.gadget;

import io.cuzk.r1cs.Block;
import io.cuzk.r1cs.ConstraintSystem;
import java.util.Arrays;

/**
 * SHA-256 (FIPS 180-4) of bits, row for row bellpepper's gadget. Bits are taken and returned in the
 * standard's order, the highest of each byte first.
 */
public final class Sha256Gadget {
  private static final int[] K = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2
  };

  private static final int[] INITIAL = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
  };

  private static final Block COMPRESSION = new Block("sha256 compression", Sha256Gadget::compress);

  private static final UInt32[] ROUND_CONSTANTS = constants(K);
  private static final UInt32[] INITIAL_STATE = constants(INITIAL);

  private Sha256Gadget() {}

  private static UInt32[] constants(int[] values) {
    return Arrays.stream(values).mapToObj(UInt32::constant).toArray(UInt32[]::new);
  }

  /** The 256 bits of the hash of whole bytes. */
  public static Bool[] hash(ConstraintSystem cs, Bool[] input) {
    if (input.length % 8 != 0) {
      throw new IllegalArgumentException(input.length + " bits are not whole bytes");
    }
    int blocks = (input.length + 1 + 64 + 511) / 512;
    Bool[] padded = Arrays.copyOf(input, 512 * blocks);
    Arrays.fill(padded, input.length, padded.length, Bool.FALSE);
    padded[input.length] = Bool.TRUE;
    for (int i = 0; i < 32; i++) {
      padded[padded.length - 1 - i] = Bool.constant((input.length >>> i & 1) != 0);
    }
    UInt32[] state = INITIAL_STATE;
    for (int block = 0; block < blocks; block++) {
      cs.enter("block", block);
      state = compress(cs, padded, 512 * block, state);
      cs.leave();
    }
    Bool[] result = new Bool[256];
    for (int i = 0; i < 8; i++) {
      state[i].bitsBigEndian(result, 32 * i);
    }
    return result;
  }

  /**
   * SHA-256 of numbers, each 255 bits and one zero bit with the lowest byte first, cut to 254 bits
   * and packed into a number: a node of tree D, as storage-proofs' {@code Sha256Function}.
   */
  public static AllocatedNum hashNumbers(ConstraintSystem cs, AllocatedNum... numbers) {
    Bool[] input = new Bool[256 * numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      cs.enter("#_num_into_bits", i);
      Bool[] bits = BitOrder.reverseInBytes(numbers[i].toBits(cs));
      cs.leave();
      System.arraycopy(bits, 0, input, 256 * i, 256);
    }
    cs.enter("hash");
    Bool[] hash = hash(cs, input);
    cs.leave();
    cs.enter("pack_le");
    AllocatedNum node = Multipack.pack(cs, BitOrder.reverseInBytes(hash), Multipack.CAPACITY);
    cs.leave();
    return node;
  }

  private static UInt32[] compress(ConstraintSystem cs, Bool[] input, int at, UInt32[] state) {
    long[] operands = new long[24 * 32];
    for (int i = 0; i < 16 * 32; i++) {
      operands[i ^ 31] = input[at + i].literal();
    }
    words(state, operands, 16);
    return words(cs, cs.block(COMPRESSION, operands), 0, 8);
  }

  private static void words(UInt32[] words, long[] out, int at) {
    for (int i = 0; i < words.length; i++) {
      words[i].literals(out, 32 * (at + i));
    }
  }

  private static UInt32[] words(ConstraintSystem cs, long[] literals, int at, int n) {
    UInt32[] words = new UInt32[n];
    for (int i = 0; i < n; i++) {
      words[i] = UInt32.ofLiterals(cs, literals, 32 * (at + i));
    }
    return words;
  }

  /** Operands: the block's 16 words and the state's 8, the lowest bit of each first. */
  private static long[] compress(ConstraintSystem cs, long[] operands) {
    UInt32[] state = words(cs, operands, 16, 8);
    MultiEq equalities = new MultiEq(cs);
    UInt32[] w = schedule(cs, equalities, words(cs, operands, 0, 16));
    // a and e are left as the operands of a sum until they are read, so that the last ones are
    // added to the old state by a single sum
    UInt32[] pendingA = {state[0]};
    UInt32[] pendingE = {state[4]};
    UInt32 b = state[1];
    UInt32 c = state[2];
    UInt32 d = state[3];
    UInt32 f = state[5];
    UInt32 g = state[6];
    UInt32 h = state[7];
    for (int i = 0; i < 64; i++) {
      cs.enter("compression round", i);
      UInt32 e = sum(cs, "deferred e computation", equalities, pendingE);
      UInt32 s1 = xor3(cs, e.rotateRight(6), e.rotateRight(11), e.rotateRight(25), true);
      cs.enter("ch");
      UInt32 choice = UInt32.choice(cs, e, f, g);
      cs.leave();
      UInt32 a = sum(cs, "deferred a computation", equalities, pendingA);
      UInt32 s0 = xor3(cs, a.rotateRight(2), a.rotateRight(13), a.rotateRight(22), false);
      cs.enter("maj");
      UInt32 majority = UInt32.majority(cs, a, b, c);
      cs.leave();
      pendingE = new UInt32[] {h, s1, choice, ROUND_CONSTANTS[i], w[i], d};
      pendingA = new UInt32[] {h, s1, choice, ROUND_CONSTANTS[i], w[i], s0, majority};
      h = g;
      g = f;
      f = e;
      d = c;
      c = b;
      b = a;
      cs.leave();
    }
    UInt32[] result = {
      sum(cs, "deferred h0 computation", equalities, with(pendingA, state[0])),
      sum(cs, "new h1", equalities, state[1], b),
      sum(cs, "new h2", equalities, state[2], c),
      sum(cs, "new h3", equalities, state[3], d),
      sum(cs, "deferred h4 computation", equalities, with(pendingE, state[4])),
      sum(cs, "new h5", equalities, state[5], f),
      sum(cs, "new h6", equalities, state[6], g),
      sum(cs, "new h7", equalities, state[7], h)
    };
    equalities.close();
    long[] literals = new long[8 * 32];
    words(result, literals, 0);
    return literals;
  }

  private static UInt32[] schedule(ConstraintSystem cs, MultiEq equalities, UInt32[] block) {
    UInt32[] w = Arrays.copyOf(block, 64);
    for (int i = 16; i < 64; i++) {
      cs.enter("w extension", i);
      UInt32 v = w[i - 15];
      UInt32 s0 = xor3(cs, v.rotateRight(7), v.rotateRight(18), v.shiftRight(3), false);
      v = w[i - 2];
      UInt32 s1 = xor3(cs, v.rotateRight(17), v.rotateRight(19), v.shiftRight(10), true);
      w[i] = sum(cs, "computation of w[i]", equalities, w[i - 16], s0, w[i - 7], s1);
      cs.leave();
    }
    return w;
  }

  private static UInt32 xor3(ConstraintSystem cs, UInt32 x, UInt32 y, UInt32 z, boolean one) {
    cs.enter(one ? "first xor for s1" : "first xor for s0");
    UInt32 xy = x.xor(cs, y);
    cs.leave();
    cs.enter(one ? "second xor for s1" : "second xor for s0");
    UInt32 xyz = xy.xor(cs, z);
    cs.leave();
    return xyz;
  }

  private static UInt32 sum(
      ConstraintSystem cs, String name, MultiEq equalities, UInt32... operands) {
    cs.enter(name);
    UInt32 result = operands.length == 1 ? operands[0] : UInt32.sum(cs, equalities, operands);
    cs.leave();
    return result;
  }

  private static UInt32[] with(UInt32[] operands, UInt32 last) {
    UInt32[] all = Arrays.copyOf(operands, operands.length + 1);
    all[operands.length] = last;
    return all;
  }
}
