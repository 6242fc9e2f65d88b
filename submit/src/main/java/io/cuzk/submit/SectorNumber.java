package io.cuzk.submit;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A sector number: an unsigned 64-bit number. */
final class SectorNumber implements ITypeConverter<Long> {
  @Override
  public Long convert(String text) {
    try {
      return Long.parseUnsignedLong(text);
    } catch (NumberFormatException e) {
      throw new TypeConversionException(
          "'" + text + "' is no sector number: 0 to 18446744073709551615 is expected");
    }
  }
}
