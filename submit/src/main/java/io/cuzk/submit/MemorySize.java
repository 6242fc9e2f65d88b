package io.cuzk.submit;

import io.cuzk.InvalidInputException;
import io.cuzk.jobs.CuzkConf;
import java.util.Map;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A size of memory, written as in {@link CuzkConf#MEMORY_BUDGET}. */
final class MemorySize implements ITypeConverter<Long> {
  @Override
  public Long convert(String text) {
    try {
      long bytes =
          CuzkConf.of(Map.of(CuzkConf.MEMORY_BUDGET.name(), text)).value(CuzkConf.MEMORY_BUDGET);
      if (bytes > 0) {
        return bytes;
      }
    } catch (InvalidInputException e) {
      // said below, without the name of a key that nobody wrote
    }
    throw new TypeConversionException("'" + text + "' is no size: for example 1.5GiB");
  }
}
