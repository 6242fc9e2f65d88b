package io.cuzk.submit;

import io.cuzk.InvalidInputException;
import io.cuzk.jobs.CustomShape;
import io.cuzk.porep.SectorShape;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A {@link CustomShape} as an option. */
final class ShapeOverride implements ITypeConverter<SectorShape> {
  @Override
  public SectorShape convert(String text) {
    try {
      return CustomShape.parse(text);
    } catch (InvalidInputException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
