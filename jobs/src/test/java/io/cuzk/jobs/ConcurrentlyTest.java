package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.cuzk.InvalidInputException;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConcurrentlyTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 15, 16, 1000})
  void answersComeInTheOrderOfTheItems(int count) {
    List<Integer> items = IntStream.range(0, count).boxed().toList();
    assertThat(Concurrently.map(items, i -> i * i))
        .isEqualTo(items.stream().map(i -> i * i).toList());
  }

  @Test
  void questionsAreAskedSideBySide() {
    CountDownLatch all = new CountDownLatch(20);
    List<Boolean> met =
        Concurrently.map(
            IntStream.range(0, 20).boxed().toList(),
            i -> {
              all.countDown();
              try {
                return all.await(60, TimeUnit.SECONDS);
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
            });
    assertThat(met).hasSize(20).containsOnly(true);
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 100})
  void theFirstFailureIsTheCallers(int count) {
    assertThatThrownBy(
            () ->
                Concurrently.map(
                    IntStream.range(0, count).boxed().toList(),
                    i -> {
                      if (i > 0) {
                        throw new InvalidInputException("item " + i);
                      }
                      return i;
                    }))
        .isInstanceOf(InvalidInputException.class)
        .hasMessage("item 1");
  }
}
