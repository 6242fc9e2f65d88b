package io.cuzk.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The self-test of compare in its own sizes: it names what was planted, and nothing else. */
@Tag("nightly")
@Timeout(1800)
class CompareSelfTestNightlyTest {
  @Test
  void aPlantedTenthIsNamedAndTwentyEqualPairsRaiseNoAlarm() {
    Captured ran = Captured.cuzk("bench", "runs", "--self-test-compare", "--json");
    JsonNode json = ran.json();
    System.out.println(json);
    assertThat(ran.code()).as(ran.err()).isZero();
    assertThat(json.path("named_phase").asText()).isEqualTo(json.path("planted_phase").asText());
    assertThat(json.path("equal_pairs").asInt()).isEqualTo(20);
    assertThat(json.path("false_alarms").asInt()).isZero();
    assertThat(json.path("passed").asBoolean()).isTrue();
  }
}
