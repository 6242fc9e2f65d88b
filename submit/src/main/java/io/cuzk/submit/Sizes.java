package io.cuzk.submit;

import io.cuzk.InvalidInputException;
import io.cuzk.jobs.NearestName;
import io.cuzk.porep.SectorShape;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Sector sizes as they are written: {@code 2KiB … 64GiB}. */
final class Sizes implements ITypeConverter<SectorShape> {
  @Override
  public SectorShape convert(String text) {
    try {
      return SectorShape.of(text);
    } catch (InvalidInputException e) {
      List<String> names = SectorShape.ALL.stream().map(SectorShape::name).toList();
      throw new TypeConversionException(e.getMessage() + NearestName.hint(text, names));
    }
  }

  /**
   * The shape, if Filecoin has registered proofs for it.
   *
   * @throws InvalidInputException if it is circuit-only, with the reason and the list
   */
  static SectorShape requireRegistered(SectorShape shape, String command) {
    if (!shape.registered()) {
      throw new InvalidInputException(
          "%s: %s has a circuit but no registered proof, so no chain would take its proofs; sizes with one: %s"
              .formatted(
                  command,
                  shape.name(),
                  SectorShape.ALL.stream()
                      .filter(SectorShape::registered)
                      .map(SectorShape::name)
                      .collect(Collectors.joining(", "))));
    }
    return shape;
  }
}
