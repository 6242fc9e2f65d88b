package io.cuzk.submit;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A number of sectors: 1 to 1,000,000. */
final class SectorCount implements ITypeConverter<Integer> {
  @Override
  public Integer convert(String text) {
    if (text.matches("[1-9]\\d{0,6}") && Integer.parseInt(text) <= 1_000_000) {
      return Integer.valueOf(text);
    }
    throw new TypeConversionException("'" + text + "' is no number of sectors: 1 to 1000000");
  }
}
