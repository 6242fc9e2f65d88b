package io.cuzk.notebooks.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import jdk.jshell.Diag;
import jdk.jshell.EvalException;
import jdk.jshell.JShell;
import jdk.jshell.JShellException;
import jdk.jshell.Snippet;
import jdk.jshell.SnippetEvent;
import jdk.jshell.SourceCodeAnalysis;
import jdk.jshell.SourceCodeAnalysis.CompletionInfo;
import jdk.jshell.SourceCodeAnalysis.Suggestion;
import jdk.jshell.UnresolvedReferenceException;
import jdk.jshell.spi.ExecutionControl;
import jdk.jshell.spi.ExecutionControlProvider;
import jdk.jshell.spi.ExecutionEnv;

/**
 * The cells of one notebook, in one JShell: every cell is a run of snippets, its value that of the
 * last expression. Not thread-safe but for {@link #interrupt}.
 */
final class Cells implements AutoCloseable {
  /** Snippets whose value a reader wants to see; a declaration shows nothing. */
  private static final Set<Snippet.SubKind> SHOWN =
      Set.of(
          Snippet.SubKind.VAR_VALUE_SUBKIND,
          Snippet.SubKind.TEMP_VAR_EXPRESSION_SUBKIND,
          Snippet.SubKind.OTHER_EXPRESSION_SUBKIND);

  private final CellExecution execution = new CellExecution();
  private final JShell shell;

  Cells() {
    shell =
        JShell.builder()
            .in(System.in)
            .executionEngine(new Provider(), Map.of())
            .compilerOptions("-Xlint:none")
            .build();
    shell.addToClasspath(System.getProperty("java.class.path"));
    for (String name : List.of("java.util.*", "java.util.stream.*", "java.nio.file.*")) {
      run("import " + name + ";");
    }
  }

  /** How a word continues: the texts and where they begin. */
  record Completion(int from, List<String> texts) {}

  /** Puts this JVM's execution behind the shell. */
  private final class Provider implements ExecutionControlProvider {
    @Override
    public String name() {
      return "cells";
    }

    @Override
    public ExecutionControl generate(ExecutionEnv env, Map<String, String> parameters) {
      return execution;
    }
  }

  /**
   * Runs a cell.
   *
   * @return the value of its last expression, or null
   * @throws CellException if it is incomplete, does not compile or throws
   */
  Object run(String cell) {
    Object value = null;
    String rest = cell;
    while (true) {
      CompletionInfo next = shell.sourceCodeAnalysis().analyzeCompletion(rest);
      switch (next.completeness()) {
        case EMPTY -> {
          return value;
        }
        case CONSIDERED_INCOMPLETE, DEFINITELY_INCOMPLETE ->
            throw new CellException(List.of("the cell ends too early, after:", rest.strip()));
        // What is no Java is compiled too: the compiler says best what is wrong.
        case UNKNOWN -> {
          return snippet(rest);
        }
        default -> {
          value = snippet(next.source());
          rest = next.remaining();
        }
      }
    }
  }

  private Object snippet(String source) {
    execution.forget();
    Object value = null;
    for (SnippetEvent event : shell.eval(source)) {
      if (event.causeSnippet() != null) {
        continue;
      }
      if (event.exception() != null) {
        throw new CellException(lines(event.exception()));
      }
      if (event.status() == Snippet.Status.REJECTED) {
        throw new CellException(rejected(event.snippet()));
      }
      value = SHOWN.contains(event.snippet().subKind()) ? execution.value() : null;
    }
    execution.forget();
    return value;
  }

  private List<String> rejected(Snippet snippet) {
    List<String> lines = new ArrayList<>();
    String source = snippet.source();
    shell
        .diagnostics(snippet)
        .filter(Diag::isError)
        .forEach(
            error -> {
              lines.add(error.getMessage(Locale.ENGLISH));
              int at = Math.clamp(error.getPosition(), 0, Math.max(0, source.length() - 1));
              int from = source.lastIndexOf('\n', at) + 1;
              int to = source.indexOf('\n', at);
              lines.add("    " + source.substring(from, to < 0 ? source.length() : to));
              lines.add("    " + " ".repeat(Math.max(0, at - from)) + "^");
            });
    return lines.isEmpty() ? List.of("the cell does not compile", source) : lines;
  }

  private static List<String> lines(JShellException thrown) {
    List<String> lines = new ArrayList<>();
    switch (thrown) {
      case EvalException user -> lines.add(user.getExceptionClassName() + ": " + user.getMessage());
      case UnresolvedReferenceException missing ->
          lines.add("uses something that is not defined: " + missing.getSnippet().source());
      default -> lines.add(thrown.toString());
    }
    for (StackTraceElement at : thrown.getStackTrace()) {
      lines.add("    at " + at);
    }
    return lines;
  }

  /** Whether a cell could run: null if it needs more text. */
  Boolean complete(String cell) {
    String rest = cell;
    while (true) {
      CompletionInfo next = shell.sourceCodeAnalysis().analyzeCompletion(rest);
      switch (next.completeness()) {
        case EMPTY -> {
          return true;
        }
        case UNKNOWN -> {
          return false;
        }
        case CONSIDERED_INCOMPLETE, DEFINITELY_INCOMPLETE -> {
          return null;
        }
        default -> rest = next.remaining();
      }
    }
  }

  /** What could stand at the cursor. */
  Completion completions(String cell, int cursor) {
    int[] anchor = {cursor};
    List<String> texts =
        shell.sourceCodeAnalysis().completionSuggestions(cell, cursor, anchor).stream()
            .filter(Suggestion::matchesType)
            .map(Suggestion::continuation)
            .distinct()
            .toList();
    if (texts.isEmpty()) {
      texts =
          shell.sourceCodeAnalysis().completionSuggestions(cell, cursor, anchor).stream()
              .map(Suggestion::continuation)
              .distinct()
              .toList();
    }
    return new Completion(anchor[0], texts);
  }

  /** Signature and documentation of what stands at the cursor. */
  String documentation(String cell, int cursor) {
    StringBuilder text = new StringBuilder();
    for (SourceCodeAnalysis.Documentation found :
        shell.sourceCodeAnalysis().documentation(cell, cursor, true)) {
      text.append(found.signature()).append('\n');
      if (found.javadoc() != null) {
        text.append(found.javadoc()).append('\n');
      }
    }
    return text.toString();
  }

  /** Interrupts the cell that runs; from any thread. */
  void interrupt() {
    execution.interrupt();
  }

  @Override
  public void close() {
    shell.close();
  }
}
