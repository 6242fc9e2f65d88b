package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import io.cuzk.jobs.ClockSkew.Ahead;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Clocks that are read over a way that takes its time. */
class ClockSkewTest {
  @Test
  void aReadingIsBetweenTwoOfTheDriver() {
    // 40 ms there and back, the clock is 1000 ms ahead, or up to 20 ms less or more
    assertThat(Ahead.of(5000, 6020, 5040)).isEqualTo(new Ahead(980, 1020));
    assertThat(Ahead.of(5000, 6020, 5040).and(Ahead.of(7000, 8005, 7030)))
        .isEqualTo(new Ahead(980, 1005));
  }

  @Test
  void whatIsCertainIsTheGapBetweenTwoClocks() {
    List<Ahead> clocks = List.of(new Ahead(-20, 20), new Ahead(980, 1005), new Ahead(-310, -270));
    assertThat(ClockSkew.of(clocks)).isEqualTo(new ClockSkew(1250, 1315));
    assertThat(ClockSkew.of(List.of(new Ahead(-20, 20), new Ahead(10, 45))))
        .isEqualTo(new ClockSkew(0, 65));
    assertThat(ClockSkew.of(List.of(new Ahead(-20, 20)))).isEqualTo(ClockSkew.NONE);
  }

  @Test
  void aRateIsSpoiltByOnePartInAHundred() {
    assertThat(new ClockSkew(1250, 1315).spoils(124)).isTrue();
    assertThat(new ClockSkew(1250, 1315).spoils(126)).isFalse();
    assertThat(new ClockSkew(0, 5000).spoils(10)).isFalse(); // nobody knows
  }
}
