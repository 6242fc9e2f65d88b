package io.cuzk.bench;

import io.cuzk.ProofFailedException;
import io.cuzk.groth16.Blinding;
import io.cuzk.groth16.Proof;
import io.cuzk.groth16.Verifier;
import io.cuzk.groth16.VerifyingKey;

/** How the proofs of a bench are held against what they must be, outside the measured part. */
public interface ProofCheck {
  /** What the number of good proofs is called in a row. */
  String counts();

  /**
   * Passes a good proof.
   *
   * @throws ProofFailedException saying what is wrong
   */
  void require(Proof proof, Blinding blinding, String device);

  /**
   * By the pairing, as everybody else will.
   *
   * @param inputs the public inputs without the constant one
   */
  static ProofCheck verifying(VerifyingKey vk, long[] inputs) {
    return new ProofCheck() {
      @Override
      public String counts() {
        return "verified";
      }

      @Override
      public void require(Proof proof, Blinding blinding, String device) {
        if (!Verifier.of(vk).verify(Proof.decode(proof.encode()), inputs)) {
          throw new ProofFailedException(
              "the proof made on %s does not verify: no figure is shown".formatted(device));
        }
      }
    };
  }
}
