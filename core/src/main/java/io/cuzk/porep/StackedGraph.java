package io.cuzk.porep;

import io.cuzk.hash.Blake2b;
import io.cuzk.hash.NodeHash;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;

/**
 * The graph of a stacked proof of replication: a node's parents in its own layer, by a
 * bucket-sampled depth-robust graph (DRSample; Alwen, Blocki, Harsha 2017), and in the layer
 * before, by Chung's expander over a Feistel permutation. Both are pseudorandom in the PoRep id, as
 * in rust-fil-proofs ({@code drgraph}, {@code stacked::vanilla::graph}).
 *
 * <p>Nodes number at most 2^31, so a parent is a non-negative {@code int}. Immutable and
 * thread-safe; {@link Walker} computes many nodes' parents without allocation.
 */
public final class StackedGraph {
  /** Parents in the same layer. */
  public static final int DRG = ChallengeProof.DRG_PARENTS;

  /** Parents in the layer before. */
  public static final int EXPANDER = ChallengeProof.EXP_PARENTS;

  /** All parents of a node. */
  public static final int DEGREE = DRG + EXPANDER;

  private static final int SEED_BYTES = 28;
  private static final int FEISTEL_ROUNDS = 3;

  /** Nodes of the meta graph for one node: the parents that are drawn. */
  private static final int META = DRG - 1;

  private static final VarHandle LITTLE =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final byte[] NO_NONCE = new byte[12];

  private final long nodes;
  private final ApiVersion api;
  private final byte[] seed;
  private final long[] keys = new long[4];
  private final int halfBits;

  private StackedGraph(long nodes, byte[] porepId, ApiVersion api) {
    this.nodes = nodes;
    this.api = api;
    this.seed = Arrays.copyOf(domainSeed("Filecoin_DRSample", porepId), SEED_BYTES);
    byte[] raw = domainSeed("Filecoin_Feistel", porepId);
    for (int i = 0; i < keys.length; i++) {
      keys[i] = (long) LITTLE.get(raw, 8 * i);
    }
    // the least even number of bits that holds every index, and not fewer than two
    int bits = Math.max(2, Long.SIZE - Long.numberOfLeadingZeros(EXPANDER * nodes - 1));
    halfBits = (bits + 1) / 2;
  }

  /**
   * A graph.
   *
   * @param nodes 2 to 2^31
   * @param porepId 32 bytes
   * @throws IllegalArgumentException if a size is out of range
   */
  public static StackedGraph of(long nodes, byte[] porepId, ApiVersion api) {
    if (nodes < 2 || nodes > 1L << 31) {
      throw new IllegalArgumentException("a graph of " + nodes + " nodes");
    }
    return new StackedGraph(nodes, Nodes.exactly("porepId", porepId, 1), api);
  }

  private static byte[] domainSeed(String tag, byte[] porepId) {
    MessageDigest digest = NodeHash.newSha256();
    digest.update(tag.getBytes(StandardCharsets.US_ASCII));
    return digest.digest(porepId);
  }

  /** The number of nodes. */
  public long nodes() {
    return nodes;
  }

  /** The seed of the depth-robust graph: 28 bytes. Fresh bytes. */
  public byte[] drgSeed() {
    return seed.clone();
  }

  /** The four round keys of the permutation, of which three are used. Fresh. */
  public long[] feistelKeys() {
    return keys.clone();
  }

  /**
   * Writes the {@value #DEGREE} parents of a node: {@value #DRG} of its own layer, then {@value
   * #EXPANDER} of the layer before, in the order in which labels are hashed. Allocates scratch
   * space; see {@link #walker}.
   *
   * @throws IllegalArgumentException if there is no such node
   */
  public void parents(long node, int[] out, int at) {
    walker().parents(node, out, at);
  }

  /** Scratch space to compute parents with, for one thread. */
  public Walker walker() {
    return new Walker();
  }

  /** Computes parents without allocation. Not thread-safe. */
  public final class Walker {
    private final ChaCha random = new ChaCha(8, Arrays.copyOf(seed, 32), NO_NONCE);
    private final Blake2b hash = new Blake2b();
    private int drawn;

    private Walker() {}

    /** Writes all {@value StackedGraph#DEGREE} parents. See {@link StackedGraph#parents}. */
    public void parents(long node, int[] out, int at) {
      drgParents(node, out, at);
      expanderParents(node, out, at + DRG);
    }

    /** Writes the {@value StackedGraph#DRG} parents in the node's own layer. */
    public void drgParents(long node, int[] out, int at) {
      check(node);
      if (node < 2) {
        Arrays.fill(out, at, at + DRG, 0);
        return;
      }
      random.lastKeyWord((int) node);
      drawn = 0;
      long meta = node * META;
      // 5·node is no power of two: its length in bits is the ceiling of its logarithm
      int buckets = Long.SIZE - Long.numberOfLeadingZeros(meta);
      // V1_0 put the predecessor last; first, it keeps the hash from starting early
      boolean last = api == ApiVersion.V1_0;
      int first = at + (last ? 0 : 1);
      for (int i = 0; i < META; i++) {
        long bucket = Long.remainderUnsigned(draw(), buckets) + 1;
        long largest = Math.min(meta, 1L << bucket);
        long smallest = Math.max(2, largest >> 1);
        long distance = smallest + Long.remainderUnsigned(draw(), largest - smallest + 1);
        long parent = (meta - distance) / META;
        out[first + i] = (int) (parent == node ? node - 1 : parent);
      }
      out[last ? at + DRG - 1 : at] = (int) (node - 1);
    }

    /** Writes the {@value StackedGraph#EXPANDER} parents in the layer before. */
    public void expanderParents(long node, int[] out, int at) {
      check(node);
      for (int i = 0; i < EXPANDER; i++) {
        long index = permute(node * EXPANDER + i);
        if (api == ApiVersion.V1_0) {
          // the launch version kept 32 bits of the index only, which shows from 32 GiB on
          index &= 0xffffffffL;
        }
        out[at + i] = (int) (index / EXPANDER);
      }
    }

    private void check(long node) {
      if (node < 0 || node >= nodes) {
        throw new IllegalArgumentException("node " + node + " of " + nodes);
      }
    }

    private long draw() {
      long low = random.word(drawn++) & 0xffffffffL;
      return low | (long) random.word(drawn++) << 32;
    }

    /** A bijection of the indices below 8·nodes: the cipher, repeated while it leads outside. */
    private long permute(long index) {
      long mask = (1L << halfBits) - 1;
      long u = index;
      do {
        long left = u >>> halfBits;
        long right = u & mask;
        for (int i = 0; i < FEISTEL_ROUNDS; i++) {
          long next = left ^ (round(right, keys[i]) & mask);
          left = right;
          right = next;
        }
        u = left << halfBits | right;
      } while (u >= EXPANDER * nodes);
      return u;
    }

    /** The first 8 bytes of BLAKE2b(right ‖ key), all big-endian. */
    private long round(long right, long key) {
      return Long.reverseBytes(hash.firstWord(Long.reverseBytes(right), Long.reverseBytes(key)));
    }
  }
}
