package io.cuzk.notebooks.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CellsTest {
  private final Cells cells = new Cells();

  @AfterAll
  void close() {
    cells.close();
  }

  @Test
  void aCellShowsItsLastExpressionAndADeclarationNothing() {
    assertThat(cells.run("var list = List.of(1, 2);\nlist.size() + 1")).isEqualTo(3);
    assertThat(cells.run("int seven = 7;")).isNull();
    assertThat(cells.run("seven")).isEqualTo(7);
    assertThat(cells.run("seven;\nint eight = 8;")).isNull();
    assertThat(cells.run("record P(int x) {}\nnew P(3)")).hasToString("P[x=3]");
    assertThat(cells.run("  \n")).isNull();
  }

  @Test
  void aCellThatThrowsNamesTheException() {
    assertThatExceptionOfType(CellException.class)
        .isThrownBy(() -> cells.run("Object none = null;\nnone.toString()"))
        .satisfies(
            e -> assertThat(e.lines().getFirst()).startsWith("java.lang.NullPointerException"));
    assertThatExceptionOfType(CellException.class)
        .isThrownBy(() -> cells.run("throw new IllegalStateException(\"so\");"))
        .withMessage("java.lang.IllegalStateException: so");
  }

  @Test
  void aCellThatDoesNotCompileShowsWhere() {
    assertThatExceptionOfType(CellException.class)
        .isThrownBy(() -> cells.run("int x = missing + 1;"))
        .satisfies(
            e -> {
              assertThat(e.getMessage()).contains("cannot find symbol");
              assertThat(e.lines()).contains("    int x = missing + 1;", "            ^");
            });
    assertThatExceptionOfType(CellException.class)
        .isThrownBy(() -> cells.run("for (int i = 0; i < 3; i++) {"))
        .withMessageContaining("ends too early");
  }

  @Test
  void aCellThatRunsForeverIsInterrupted() throws Exception {
    AtomicBoolean ended = new AtomicBoolean();
    Thread later =
        Thread.ofVirtual()
            .start(
                () -> {
                  while (!ended.get()) { // what is compiled still cannot be interrupted
                    cells.interrupt();
                    LockSupport.parkNanos(50_000_000);
                  }
                });
    assertThatExceptionOfType(CellException.class)
        .isThrownBy(() -> cells.run("Thread.sleep(600_000);"))
        .withMessageContaining("InterruptedException");
    ended.set(true);
    later.join();
    assertThat(cells.run("1 + 1")).isEqualTo(2);
  }

  @Test
  void namesAreCompleted() {
    cells.run("String longName = \"\";");
    Cells.Completion found = cells.completions("longN", 5);
    assertThat(found.texts()).contains("longName");
    assertThat(found.from()).isZero();
    assertThat(cells.complete("int a = 1")).isTrue();
    assertThat(cells.complete("void f() {")).isNull();
  }
}
