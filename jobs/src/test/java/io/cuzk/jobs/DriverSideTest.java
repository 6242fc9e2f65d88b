package io.cuzk.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNoException;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import org.apache.spark.ExecutorAllocationClient;
import org.junit.jupiter.api.Test;
import scala.collection.immutable.Seq;
import scala.jdk.javaapi.CollectionConverters;

class DriverSideTest {
  private final List<List<Object>> asked = new ArrayList<>();

  private ExecutorAllocationClient cluster(Supplier<Seq<String>> answer) {
    return (ExecutorAllocationClient)
        Proxy.newProxyInstance(
            getClass().getClassLoader(),
            new Class<?>[] {ExecutorAllocationClient.class},
            (self, method, arguments) -> {
              if (method.getName().equals("requestTotalExecutors")) {
                asked.add(Arrays.stream(arguments).map(map -> (Object) map.toString()).toList());
                return true;
              }
              assertThat(method.getName()).isEqualTo("killExecutors");
              Seq<?> ids = (Seq<?>) arguments[0];
              arguments[0] = List.copyOf(CollectionConverters.asJava(ids));
              asked.add(Arrays.asList(arguments));
              return answer.get();
            });
  }

  private static Seq<String> ids(String... ids) {
    return CollectionConverters.asScala(List.of(ids)).toSeq();
  }

  @Test
  void anExecutorIsEndedWithoutAFailureAndOneLessAskedForOnlyIfNoneIsToCome() {
    DriverSide.end(cluster(() -> ids("3")), "3", false);
    DriverSide.end(cluster(() -> ids()), "4", true);
    assertThat(asked)
        .containsExactly(
            List.of(List.of("3"), false, false, true), List.of(List.of("4"), true, false, true));
  }

  @Test
  void theClusterIsToldHowManyExecutorsAreWanted() {
    DriverSide.want(cluster(() -> ids()), 3);
    assertThat(asked).containsExactly(List.of("Map(0 -> 3)", "Map(0 -> 0)", "Map(0 -> Map())"));
  }

  @Test
  void aClusterThatRefusesIsNoEndOfTheDriver() {
    assertThatNoException()
        .isThrownBy(
            () ->
                DriverSide.tell(
                    cluster(
                        () -> {
                          throw new IllegalStateException("the master is away");
                        }),
                    refusing -> DriverSide.end(refusing, "3", true)));
    assertThat(asked).hasSize(1);
  }
}
