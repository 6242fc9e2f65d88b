package io.cuzk.submit;

import io.cuzk.CuzkException;
import io.cuzk.jobs.NearestName;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** The {@code cuzk} command. Exit codes: see {@link ExitCode}. */
@Command(
    name = "cuzk",
    description = "Proves sealed Filecoin sectors (PoRep C2, Groth16) as an Apache Spark job.",
    subcommands = {
      DemoCommand.class,
      SetupCommand.class,
      SealCommand.class,
      ProveCommand.class,
      VerifyCommand.class,
      CheckC1Command.class,
      ParamsCommand.class,
      SelfTestCommand.class,
      StatusCommand.class,
      ThroughputCommand.class,
      SimulateCommand.class,
      CompareCommand.class,
      ReportCommand.class,
      DevicesCommand.class,
      BenchCommand.class
    },
    versionProvider = Version.class,
    synopsisSubcommandLabel = "COMMAND",
    footerHeading = "%nExamples:%n",
    footer = {
      "  cuzk demo",
      "  cuzk prove --c1 c1/ --params params/ --out run/",
      "  cuzk verify --out run/ --params params/",
      "",
      "Exit codes: 0 good, 2 usage, 3 bad input, 4 a proof failed, 5 infrastructure,",
      "6 a budget exceeded (compare).",
      "Results go to stdout, progress and logs to stderr."
    })
public final class Cuzk {
  @CommandLine.Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Show this help.")
  private boolean help;

  @CommandLine.Option(
      names = {"-V", "--version"},
      versionHelp = true,
      description = "Show the version.")
  private boolean version;

  private Cuzk() {}

  /** Runs a command and ends the process with its exit code. */
  public static void main(String[] args) {
    int code = run(new PrintWriter(System.out, true), new PrintWriter(System.err, true), args);
    System.out.flush();
    System.exit(code);
  }

  /** Runs a command; results go to {@code out}, everything else to {@code err}. */
  static int run(PrintWriter out, PrintWriter err, String... args) {
    CommandLine line = new CommandLine(new Cuzk());
    line.setOut(out);
    line.setErr(err);
    line.setUsageHelpAutoWidth(true);
    line.setParameterExceptionHandler((failure, words) -> usage(failure, words));
    line.setExecutionExceptionHandler(Cuzk::failed);
    line.setExecutionStrategy(
        parsed -> {
          if (!parsed.hasSubcommand() && !help(parsed)) {
            line.usage(line.getErr());
            return ExitCode.USAGE;
          }
          return new CommandLine.RunLast().execute(parsed);
        });
    return line.execute(args);
  }

  private static boolean help(ParseResult parsed) {
    return parsed.isUsageHelpRequested() || parsed.isVersionHelpRequested();
  }

  private static int usage(ParameterException failure, String[] words) {
    CommandLine line = failure.getCommandLine();
    String message = failure.getMessage();
    // An option that is mistyped is also missing: the first says more.
    List<String> unmatched =
        failure instanceof UnmatchedArgumentException named
            ? named.getUnmatched()
            : line.getUnmatchedArguments();
    if (!unmatched.isEmpty()) {
      message = unmatched(unmatched.getFirst(), line.getCommandSpec());
    }
    return report(
        line,
        message + " (try: " + line.getCommandSpec().qualifiedName() + " --help)",
        ExitCode.USAGE,
        words);
  }

  private static String unmatched(String word, CommandSpec spec) {
    List<String> known = new ArrayList<>();
    if (word.startsWith("-")) {
      spec.options().forEach(option -> known.addAll(Arrays.asList(option.names())));
      int equals = word.indexOf('=');
      String name = equals < 0 ? word : word.substring(0, equals);
      return "unknown option " + name + NearestName.hint(name, known);
    }
    known.addAll(spec.subcommands().keySet());
    if (known.isEmpty()) {
      return "unexpected argument " + word;
    }
    return "no command " + word + NearestName.hint(word, known);
  }

  private static int failed(Exception failure, CommandLine line, ParseResult parsed) {
    String[] words = parsed.originalArgs().toArray(String[]::new);
    if (wantsStackTrace(words)) {
      failure.printStackTrace(line.getErr());
    }
    if (failure instanceof CuzkException known) {
      return report(line, known.getMessage(), known.exitCode(), words);
    }
    String message =
        failure.getClass().getSimpleName()
            + (failure.getMessage() == null ? "" : ": " + failure.getMessage());
    return report(
        line,
        "internal error: " + message + " (with --stacktrace: where)",
        ExitCode.INFRASTRUCTURE,
        words);
  }

  private static boolean wantsStackTrace(String[] words) {
    return Arrays.asList(words).contains("--stacktrace") || System.getenv("CUZK_DEBUG") != null;
  }

  /** One line on stderr; with {@code --json} one object on stdout as well. */
  private static int report(CommandLine line, String message, int code, String[] words) {
    String oneLine = String.join(" ", message.strip().split("\\R+ *"));
    line.getErr().println("cuzk: " + oneLine);
    line.getErr().flush();
    if (Arrays.asList(words).contains("--json")) {
      Map<String, Object> object = new LinkedHashMap<>();
      object.put("error", oneLine);
      object.put("exit_code", code);
      line.getOut().println(Json.text(object));
      line.getOut().flush();
    }
    return code;
  }
}
