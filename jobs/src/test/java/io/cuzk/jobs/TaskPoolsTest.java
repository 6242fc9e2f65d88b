package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TaskPoolsTest {
  @AfterEach
  void end() {
    TaskPools.endFree();
  }

  @Test
  void tasksAtOnceHavePoolsOfTheirOwnAndTheNextOneHasThemAgain() {
    TaskPools one = TaskPools.take(2);
    TaskPools two = TaskPools.take(2);
    assertThat(one.proving()).isNotSameAs(two.proving()).isNotSameAs(one.synthesis());
    assertThat(one.synthesis()).isNotSameAs(two.synthesis());
    assertThat(one.proving().threads()).isEqualTo(2);
    two.giveBack();
    TaskPools larger = TaskPools.take(3);
    assertThat(larger.proving().threads()).isEqualTo(3);
    assertThat(TaskPools.take(2)).isSameAs(two);
    one.end();
    assertThat(TaskPools.take(2)).isNotSameAs(one);
  }
}
