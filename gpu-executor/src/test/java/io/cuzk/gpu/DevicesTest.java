package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.DeviceException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Addresses of devices; nothing here needs a driver. */
final class DevicesTest {
  private static DeviceInfo device(String uuid, String bus) {
    return new DeviceInfo("some card", uuid, bus, 9, 0, 1L << 34, 100, 227 << 10);
  }

  private static final List<DeviceInfo> DEVICES =
      List.of(
          device("GPU-aaaa1111-0000-0000-0000-000000000001", "0000:41:00.0"),
          device("GPU-aaaa2222-0000-0000-0000-000000000002", "0000:C1:00.0"),
          device("MIG-bbbb", "0001:41:00.0"));

  @Test
  void addressesOfEveryForm() {
    assertThat(Devices.ordinal("1", DEVICES)).isEqualTo(1);
    assertThat(Devices.ordinal(" GPU-aaaa2 ", DEVICES)).isEqualTo(1);
    assertThat(Devices.ordinal("mig-bbbb", DEVICES)).isEqualTo(2);
    assertThat(Devices.ordinal("c1:00.0", DEVICES)).isEqualTo(1);
    assertThat(Devices.ordinal("00000000:41:00.0", DEVICES)).isZero();
    assertThat(Devices.ordinal("0001:41:00.0", DEVICES)).isEqualTo(2);
  }

  /** Discovery counts the machine's GPUs, the driver those that the variable names. */
  @Test
  void theVariableDecidesWhatANumberMeans() {
    assertThat(Devices.ordinal("5", DEVICES, "2, 5,7")).isEqualTo(1);
    assertThat(Devices.ordinal("7", DEVICES, "2,5,7")).isEqualTo(2);
    List<DeviceInfo> turned = List.of(DEVICES.get(1), DEVICES.get(0), DEVICES.get(2));
    assertThat(Devices.ordinal("0", turned, "1,0,2")).isEqualTo(1);
    assertThat(Devices.ordinal("1", DEVICES, "GPU-aaaa1111,GPU-aaaa2222")).isEqualTo(1);
    assertThat(Devices.ordinal("MIG-x", DEVICES, "MIG-w,MIG-x")).isEqualTo(1);
  }

  /** Else addresses 0 and 4 were one card, which two executors would share without a word. */
  @Test
  void aNumberThatTheVariableLacksIsRefused() {
    assertThat(Devices.ordinal("4", DEVICES, "4,5,6")).isZero();
    for (String visible : List.of("4,5,6", "4,5,6,0")) {
      assertThatThrownBy(() -> Devices.ordinal("0", DEVICES, visible))
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("\"0\" is none of CUDA_VISIBLE_DEVICES=\"" + visible + "\"")
          .hasMessageContaining("by UUID");
    }
  }

  @Test
  void aNumberIsRefusedWhereTheOrderIsNotTheBuss() {
    List<DeviceInfo> fastestFirst = List.of(DEVICES.get(1), DEVICES.get(0));
    assertThatThrownBy(() -> Devices.ordinal("0", fastestFirst, null))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("[0000:c1:00.0, 0000:41:00.0]")
        .hasMessageContaining("CUDA_DEVICE_ORDER=PCI_BUS_ID");
    assertThat(Devices.ordinal("GPU-aaaa1", fastestFirst, null)).isEqualTo(1);
  }

  @Test
  void addressesOfNoneOrSeveralAreRefused() {
    for (String address : List.of("3", "GPU-aaaa", "GPU-", "42:00.0", "", "GPU-cccc")) {
      assertThatThrownBy(() -> Devices.ordinal(address, DEVICES, null))
          .isInstanceOf(DeviceException.class)
          .hasMessageContaining("\"" + address + "\"")
          .hasMessageContaining("GPU-aaaa1111-0000-0000-0000-000000000001 at 0000:41:00.0");
    }
  }

  @Test
  void uuidsAreWrittenAsNvidiasToolsWriteThem() {
    byte[] bytes = new byte[16];
    for (int i = 0; i < 16; i++) {
      bytes[i] = (byte) (0xf0 + i);
    }
    assertThat(Devices.uuid(bytes, bytes)).isEqualTo("GPU-f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff");
    assertThat(Devices.uuid(new byte[16], bytes))
        .isEqualTo("MIG-f0f1f2f3-f4f5-f6f7-f8f9-fafbfcfdfeff");
  }
}
