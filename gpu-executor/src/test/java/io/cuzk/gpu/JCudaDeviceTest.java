package io.cuzk.gpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.DeviceException;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;

/** On a machine with a GPU; and on any with the fake driver, see {@link FakeDriverTest}. */
@EnabledIf("present")
final class JCudaDeviceTest extends GpuDeviceTest {
  static boolean present() {
    return Devices.unavailable().isEmpty();
  }

  @Override
  GpuDevice open() {
    return Devices.open(0);
  }

  @Test
  void devicesAreFoundByTheirAddresses() {
    List<DeviceInfo> devices = Devices.list();
    for (int k = 0; k < devices.size(); k++) {
      DeviceInfo info = devices.get(k);
      assertThat(Devices.ordinal(info.uuid(), devices)).isEqualTo(k);
      assertThat(Devices.ordinal(info.pciBusId().toUpperCase(Locale.ROOT), devices)).isEqualTo(k);
    }
    assertThatThrownBy(() -> Devices.ordinal("GPU-00000000-none", devices))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("means none of")
        .hasMessageContaining(devices.getFirst().uuid());
    assertThatThrownBy(() -> Devices.open(devices.size()))
        .isInstanceOf(DeviceException.class)
        .hasMessageContaining("there are 0 to");
  }
}
