package io.cuzk.submit;

import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A miner's id as {@code 1000}, {@code f01000} or {@code t01000}. */
final class MinerId implements ITypeConverter<Long> {
  @Override
  public Long convert(String text) {
    String digits = text.matches("[ft]0\\d+") ? text.substring(2) : text;
    try {
      return Long.parseUnsignedLong(digits);
    } catch (NumberFormatException e) {
      throw new TypeConversionException(
          "'" + text + "' is no miner id: 1000 or f01000 is expected");
    }
  }
}
