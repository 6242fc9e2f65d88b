package io.cuzk.submit;

import io.cuzk.jobs.NearestName;
import java.util.List;
import picocli.CommandLine.TypeConversionException;

/** Names of variants on the command line. */
final class VariantNames {
  private VariantNames() {}

  /** What is said of a name that is none: the nearest one, and all of them. */
  static TypeConversionException unknown(String label, List<String> labels) {
    return new TypeConversionException(
        "no variant '%s'%s; they are %s"
            .formatted(label, NearestName.hint(label, labels), String.join(", ", labels)));
  }
}
