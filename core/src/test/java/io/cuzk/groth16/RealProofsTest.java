package io.cuzk.groth16;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.cuzk.InvalidInputException;
import io.cuzk.field.Fr;
import io.cuzk.testing.Golden;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Proofs that others made and published, under their keys. */
class RealProofsTest {
  private static ProofContainer container() {
    return ProofContainer.read(Golden.realdata("fil-blst/seal32_x10.prf"));
  }

  @Test
  void tenProofsOf32GiBVerifyOneByOneAndTogether() {
    ProofContainer ten = container();
    assertThat(ten.proofs()).hasSize(10);
    assertThat(ten.key().inputs()).isEqualTo(328);
    Verifier verifier = Verifier.of(ten.key());
    for (int i = 0; i < 10; i++) {
      assertThat(verifier.verify(ten.proofs().get(i), ten.inputs().get(i)))
          .as("proof %d", i)
          .isTrue();
    }
    assertThat(verifier.verifyAll(ten.proofs(), ten.inputs())).isTrue();
    assertThat(verifier.verifyAll(List.of(), List.of())).isTrue();
  }

  @Test
  void theKeyIsThePublishedOne() throws IOException {
    Path file = Golden.realdata("fil-blst/seal32_x10.vk");
    VerifyingKey key = VerifyingKey.read(file);
    assertThat(key.digest()).isEqualTo("7a139d82b8a02e35279d657e197f5c1f");
    assertThat(PublishedDigests.ofDigest(key.digest()).orElseThrow().sectorBytes())
        .isEqualTo(1L << 35);
    assertThat(key).isEqualTo(container().key());
    assertThat(key.toBytes()).isEqualTo(Files.readAllBytes(file));
  }

  @Test
  void oneChangedOrSwappedInputFails() {
    ProofContainer ten = container();
    Verifier verifier = Verifier.of(ten.key());
    Random random = new Random(1);
    for (int i = 0; i < 10; i++) {
      List<long[]> inputs = new ArrayList<>(ten.inputs());
      long[] changed = inputs.get(i).clone();
      int word = Fr.WORDS * random.nextInt(327);
      long[] one = new long[Fr.WORDS];
      Fr.setLong(one, 0, 1L << random.nextInt(60));
      Fr.add(changed, word, changed, word, one, 0);
      assertThat(verifier.verify(ten.proofs().get(i), changed)).as("proof %d", i).isFalse();
      inputs.set(i, changed);
      assertThat(verifier.verifyAll(ten.proofs(), inputs)).as("batch %d", i).isFalse();

      long[] swapped = ten.inputs().get(i).clone();
      int other = Fr.WORDS * ((word / Fr.WORDS + 1 + random.nextInt(325)) % 327);
      for (int k = 0; k < Fr.WORDS; k++) {
        long keep = swapped[word + k];
        swapped[word + k] = swapped[other + k];
        swapped[other + k] = keep;
      }
      if (!Arrays.equals(swapped, ten.inputs().get(i))) {
        assertThat(verifier.verify(ten.proofs().get(i), swapped)).as("proof %d", i).isFalse();
      }
    }
    List<long[]> rotated = new ArrayList<>(ten.inputs());
    Collections.swap(rotated, 3, 7);
    assertThat(verifier.verifyAll(ten.proofs(), rotated)).isFalse();
  }

  @Test
  void oneChangedBitOfAProofFailsOrIsRefused() {
    ProofContainer ten = container();
    Verifier verifier = Verifier.of(ten.key());
    Random random = new Random(2);
    for (int i = 0; i < 10; i++) {
      for (int k = 0; k < 12; k++) {
        byte[] bytes = ten.proofs().get(i).encode();
        // The first three flip the flags of A, B and C.
        int bit = k < 9 ? new int[] {0, 384, 1152}[k / 3] + k % 3 : random.nextInt(1536);
        bytes[bit / 8] ^= (byte) (0x80 >>> bit % 8);
        boolean good;
        try {
          Proof proof = Proof.decode(bytes);
          good = verifier.verify(proof, ten.inputs().get(i));
          List<Proof> proofs = new ArrayList<>(ten.proofs());
          proofs.set(i, proof);
          assertThat(verifier.verifyAll(proofs, ten.inputs())).isFalse();
        } catch (InvalidInputException e) {
          assertThat(e).hasMessageContaining("proof point");
          good = false;
        }
        assertThat(good).as("proof %d, bit %d", i, bit).isFalse();
      }
    }
  }

  @Test
  void aDamagedContainerIsRefused() throws IOException {
    byte[] good = Files.readAllBytes(Golden.realdata("fil-blst/seal32_x10.prf"));
    refused(Arrays.copyOf(good, good.length - 1), "bytes are left");
    refused(Arrays.copyOf(good, good.length + 1), "bytes are left");
    refused(Arrays.copyOf(good, 100), "a proof container at least");
    for (int at : new int[] {0, 1, 7}) {
      byte[] count = good.clone();
      count[at] ^= (byte) 0x80;
      refused(count, "says");
    }
    byte[] inputs = good.clone();
    inputs[15] ^= 1;
    refused(inputs, "says 326 inputs a proof, its verifying key takes 327");
    byte[] ic = good.clone();
    ic[16 + VerifyingKey.HEADER_BYTES - 4] = (byte) 0xff;
    refused(ic, "ic points, expected 1 to");
    byte[] scalar = good.clone();
    Arrays.fill(scalar, good.length - 32, good.length, (byte) 0xff);
    refused(scalar, "proof 9: input 326 is not canonical: ffff");
  }

  private static void refused(byte[] bytes, String why) {
    assertThatThrownBy(() -> ProofContainer.read(bytes, "x.prf"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("x.prf")
        .hasMessageContaining(why);
  }

  @Test
  void elevenProofsOf2KiBFromAnotherChainVerify() throws IOException {
    JsonNode sets =
        new ObjectMapper()
            .readTree(Golden.realdata("polka-storage/porep-2kib-groth16.json").toFile());
    int count = 0;
    for (JsonNode set : sets) {
      VerifyingKey key =
          VerifyingKey.read(Golden.realdata("polka-storage/" + set.get("vk_file").asText()));
      Verifier verifier = Verifier.of(key);
      List<Proof> proofs = new ArrayList<>();
      List<long[]> inputs = new ArrayList<>();
      for (JsonNode each : set.get("proofs")) {
        Proof proof = Proof.decode(Golden.hex(each.get("proof")));
        List<String> texts = new ArrayList<>();
        each.get("public_inputs").forEach(text -> texts.add(text.asText()));
        long[] x = InputVector.parse(texts);
        assertThat(verifier.verify(proof, x)).isTrue();
        long[] changed = x.clone();
        long[] one = new long[Fr.WORDS];
        Fr.setOne(one, 0);
        Fr.add(changed, Fr.WORDS * (count % 39), x, Fr.WORDS * (count % 39), one, 0);
        assertThat(verifier.verify(proof, changed)).isFalse();
        assertThatThrownBy(() -> verifier.verify(proof, Arrays.copyOf(x, x.length - Fr.WORDS)))
            .isInstanceOf(InvalidInputException.class)
            .hasMessageContaining("has 38 public inputs, the verifying key takes 39");
        proofs.add(proof);
        inputs.add(x);
        count++;
      }
      assertThat(verifier.verifyAll(proofs, inputs)).isTrue();
    }
    assertThat(count).isEqualTo(11);
  }
}
