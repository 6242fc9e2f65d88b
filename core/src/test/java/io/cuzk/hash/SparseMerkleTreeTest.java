package io.cuzk.hash;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.parallel.Workers;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SparseMerkleTreeTest {
  private static final int[] ARITIES = {8, 8, 2};
  private static final int LEAVES = 128;

  private static SparseMerkleTree build(long[] indices, byte[] leaves) {
    return SparseMerkleTree.build(
        indices, leaves, ARITIES, NodeHash::poseidon, Workers.single(), new SplittableRandom(1));
  }

  private static byte[] leaves(int count) {
    byte[] nodes = new byte[32 * count];
    new Random(2).nextBytes(nodes);
    for (int i = 31; i < nodes.length; i += 32) {
      nodes[i] &= 0x3f;
    }
    return nodes;
  }

  @Test
  void withAllLeavesItIsTheWholeTree() {
    byte[] leaves = leaves(LEAVES);
    SparseMerkleTree sparse = build(LongStream.range(0, LEAVES).toArray(), leaves);
    MerkleTree whole =
        MerkleTree.build(leaves, ARITIES, NodeHash::poseidon, Workers.single(), hashed -> {});
    assertThat(sparse.root()).isEqualTo(whole.root());
    assertThat(sparse.height()).isEqualTo(whole.height());
    for (int level = 0, nodes = LEAVES; level < ARITIES.length; nodes /= ARITIES[level++]) {
      for (int i = 0; i < nodes; i++) {
        assertThat(sparse.node(level, i)).isEqualTo(whole.node(level, i));
        assertThat(sparse.siblings(level, i)).isEqualTo(whole.siblings(level, i));
      }
    }
  }

  /** What two paths share they agree about, up to the one root. */
  @Test
  void everyPathLeadsToTheRoot() {
    long[] indices = {0, 1, 9, 63, 64, 127};
    byte[] leaves = leaves(indices.length);
    SparseMerkleTree tree = build(indices, leaves);
    for (int i = 0; i < indices.length; i++) {
      byte[] node = tree.node(0, indices[i]);
      assertThat(node).isEqualTo(java.util.Arrays.copyOfRange(leaves, 32 * i, 32 * i + 32));
      long index = indices[i];
      for (int level = 0; level < ARITIES.length; level++) {
        int arity = ARITIES[level];
        int place = (int) (index % arity);
        byte[] siblings = tree.siblings(level, index);
        byte[] children = new byte[32 * arity];
        System.arraycopy(siblings, 0, children, 0, 32 * place);
        System.arraycopy(node, 0, children, 32 * place, 32);
        System.arraycopy(
            siblings, 32 * place, children, 32 * place + 32, siblings.length - 32 * place);
        Poseidon.ofArity(arity).hash(node, 0, children, 0);
        index /= arity;
      }
      assertThat(node).isEqualTo(tree.root());
    }
  }

  @Test
  void whatIsNotHeldOrNoTreeIsRefused() {
    SparseMerkleTree tree = build(new long[] {9}, leaves(1));
    assertThat(tree.node(0, 15)).hasSize(32);
    assertThatThrownBy(() -> tree.siblings(0, 16)).hasMessage("node 16 of level 0 is not held");
    assertThatThrownBy(() -> build(new long[] {128}, leaves(1))).hasMessageContaining("below 128");
    assertThatThrownBy(() -> build(new long[] {3, 3}, leaves(2))).hasMessageContaining("leaf 3");
    assertThatThrownBy(() -> build(new long[] {3, 4}, leaves(1))).hasMessageContaining("2 places");
    assertThatThrownBy(() -> build(new long[0], leaves(0))).hasMessageContaining("0 places");
  }
}
