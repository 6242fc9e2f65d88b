package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InvalidInputException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import org.junit.jupiter.api.Test;

/** Damaged device code never reaches a device. */
class DeviceCodeTest {
  @Test
  void whatShipsIsWhole() {
    for (String module : new String[] {"field", "ntt", "sort", "msm_g1", "msm_g2"}) {
      assertThat(DeviceCode.read(module)).startsWith(".version 6.3\n.target sm_75\n");
    }
  }

  @Test
  void oneBitIsNoticed() throws Exception {
    byte[] ptx = Files.readAllBytes(KernelsLockTest.RESOURCES.resolve("ntt.ptx"));
    String lock = Files.readString(KernelsLockTest.LOCK);
    assertThat(DeviceCode.checked("ntt.ptx", ptx, lock))
        .isEqualTo(new String(ptx, StandardCharsets.US_ASCII));
    ptx[ptx.length / 2] ^= 1;
    assertThatThrownBy(() -> DeviceCode.checked("ntt.ptx", ptx, lock))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("ntt.ptx of this build is damaged: sha256 ")
        .hasMessageContaining("expected ")
        .hasMessageContaining("install the build again");
  }

  @Test
  void aLockWithoutTheModuleIsNoticed() {
    assertThatThrownBy(() -> DeviceCode.checked("ntt.ptx", new byte[10], "ptx field.ptx 00\n"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage(
            "kernels.lock of this build is damaged: it has no digest of ntt.ptx; install the build"
                + " again");
  }

  @Test
  void aModuleThatIsMissingIsNamed() {
    assertThatThrownBy(() -> DeviceCode.read("none"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("no device code none.ptx");
  }
}
