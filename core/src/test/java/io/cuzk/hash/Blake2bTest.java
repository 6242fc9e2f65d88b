package io.cuzk.hash;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class Blake2bTest {
  @Test
  void hashesAbcAsInTheRfc() {
    assertThat(hex("abc".getBytes(StandardCharsets.UTF_8)))
        .isEqualTo(
            "ba80a53f981c4d0d6a2797b69f12f6e94c212f14685ac4b74b12bb6fdbffa2d1"
                + "7d87c5392aab792dc252d5de4533cc9518d38aa8dbf1925ab92386edd4009923");
  }

  @Test
  void hashesTheEmptyTextAndLongerOnes() {
    // from b2sum of GNU coreutils
    assertThat(hex(new byte[0]))
        .isEqualTo(
            "786a02f742015903c6c6fd852552d272912f4740e15847618a86e217f71f5419"
                + "d25e1031afee585313896444934eb04b903a685b1448b755d56f701afe9be2ce");
    assertThat(hex(counting(128))).isEqualTo(B2SUM_128);
    assertThat(hex(counting(1000))).isEqualTo(B2SUM_1000);
  }

  @Test
  void splittingTheInputChangesNothing() {
    byte[] data = counting(1000);
    String whole = hex(data);
    for (int piece : new int[] {1, 7, 63, 127, 128, 129, 256, 999}) {
      Blake2b hash = new Blake2b();
      for (int at = 0; at < data.length; at += piece) {
        hash.update(data, at, Math.min(piece, data.length - at));
      }
      assertThat(HexFormat.of().formatHex(hash.digest()))
          .as("pieces of %d", piece)
          .isEqualTo(whole);
    }
  }

  private static byte[] counting(int n) {
    byte[] data = new byte[n];
    for (int i = 0; i < n; i++) {
      data[i] = (byte) i;
    }
    return data;
  }

  private static String hex(byte[] data) {
    return HexFormat.of().formatHex(Blake2b.digest(data));
  }

  private static final String B2SUM_128 =
      "2319e3789c47e2daa5fe807f61bec2a1a6537fa03f19ff32e87eecbfd64b7e0e"
          + "8ccff439ac333b040f19b0c4ddd11a61e24ac1fe0f10a039806c5dcc0da3d115";
  private static final String B2SUM_1000 =
      "9fe687126e6566313081b43167cbfa0b4f721b45a5afd4076af327765d63a616"
          + "478ffbd1cd5fbe4033e8638b8bcf8de6b3978b54a30f1d9d8d68fbe66c2b74cf";
}
