package io.cuzk.porep;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.cuzk.InvalidInputException;
import io.cuzk.testing.Golden;
import java.io.ByteArrayInputStream;
import java.util.Arrays;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A partition arrives as it was sent, or not at all. */
class PartitionInputTest {
  private static PartitionInput small() {
    byte[] bytes = Golden.bytes("c1-2KiB.json");
    Commit1File file = Commit1Codec.read(new ByteArrayInputStream(bytes), "c1", Optional.empty());
    return PartitionInput.of(file.output(), 0);
  }

  @Test
  void travels() {
    PartitionInput input = small();
    assertThat(PartitionInput.fromBytes(input.toBytes())).isEqualTo(input);
    PartitionInput compound = PartitionInput.of(Commit1CodecTest.mini().output(), 0);
    assertThat(PartitionInput.fromBytes(compound.toBytes())).isEqualTo(compound);
    assertThat(compound.challenges().getFirst().challenge()).isEqualTo(178);
    // the nodes, and a byte or so beside each path element
    assertThat(input.toBytes().length).isLessThan(20_000);
  }

  @Test
  void garbledBytesAreRefused() {
    PartitionInput sent = small();
    byte[] bytes = sent.toBytes();
    for (int length = 0; length < bytes.length; length += 7) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> PartitionInput.fromBytes(cut))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("garbled partition of " + length + " bytes");
    }
    assertThatThrownBy(() -> PartitionInput.fromBytes(Arrays.copyOf(bytes, bytes.length + 1)))
        .isInstanceOf(InvalidInputException.class);
    Random random = new Random(3);
    for (int i = 0; i < 2000; i++) {
      byte[] copy = bytes.clone();
      copy[i < 40 ? i : random.nextInt(copy.length)] ^= (byte) (1 << random.nextInt(8));
      Throwable thrown = catchThrowable(() -> PartitionInput.fromBytes(copy));
      if (thrown != null) {
        assertThat(thrown).isInstanceOf(InvalidInputException.class);
      } else {
        assertThat(PartitionInput.fromBytes(copy)).isNotEqualTo(sent);
      }
    }
  }
}
