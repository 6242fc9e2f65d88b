package io.cuzk.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WarmupTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void anIdleMachineIsGivenEightSeconds() {
    assertThat(Warmup.isPatient(7 * SECOND, 14 * SECOND)).isTrue();
    assertThat(Warmup.isPatient(9 * SECOND, 9 * SECOND)).isFalse();
  }

  @Test
  void onABusyMachineWhatCountsIsTheCpuTimeThatTheProcessWasGiven() {
    assertThat(Warmup.isPatient(60 * SECOND, 2 * SECOND)).isTrue();
    assertThat(Warmup.isPatient(60 * SECOND, 8 * SECOND)).isFalse();
  }

  @Test
  void patienceEnds() {
    assertThat(Warmup.isPatient(121 * SECOND, 0)).isFalse();
  }
}
