package io.cuzk.porep;

import io.cuzk.InvalidInputException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * A proof type that Filecoin has registered for sealing (filecoin-proofs-api's {@code
 * RegisteredSealProof}).
 *
 * <p>{@code id} is its number there, 0 … 19: it is the tag in bincode and seeds the PoRep id. Only
 * the twenty of {@link #ALL} exist. Immutable.
 */
public record RegisteredProof(
    int id, String name, SectorShape shape, ApiVersion api, Feature feature) {

  /** What a proof type adds to the interactive proof. */
  public enum Feature {
    /** Interactive challenges. */
    NONE(""),
    /** Challenges drawn from a list fixed at sealing. */
    SYNTHETIC("_Feat_SyntheticPoRep"),
    /** Challenges without chain randomness; more partitions, aggregated. */
    NON_INTERACTIVE("_Feat_NonInteractivePoRep");

    private final String suffix;

    Feature(String suffix) {
      this.suffix = suffix;
    }
  }

  /** All registered types; the index is the id. */
  public static final List<RegisteredProof> ALL = all();

  /** Checks presence. */
  public RegisteredProof {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(shape, "shape");
    Objects.requireNonNull(api, "api");
    Objects.requireNonNull(feature, "feature");
  }

  private static List<RegisteredProof> all() {
    List<RegisteredProof> all = new ArrayList<>();
    for (int family = 0; family < 4; family++) {
      ApiVersion api = family == 0 ? ApiVersion.V1_0 : ApiVersion.V1_1;
      Feature feature = Feature.NONE;
      if (family == 2) {
        feature = Feature.SYNTHETIC;
      } else if (family == 3) {
        api = ApiVersion.V1_2;
        feature = Feature.NON_INTERACTIVE;
      }
      for (SectorShape shape : SectorShape.ALL) {
        if (shape.registered()) {
          String version = api == ApiVersion.V1_0 ? "V1" : api.name();
          String name = "StackedDrg" + shape.name() + version + feature.suffix;
          all.add(new RegisteredProof(all.size(), name, shape, api, feature));
        }
      }
    }
    return Collections.unmodifiableList(all);
  }

  /** The type of that name, if there is one. */
  public static Optional<RegisteredProof> find(String name) {
    return ALL.stream().filter(p -> p.name.equals(name)).findFirst();
  }

  /**
   * The type of that name.
   *
   * @throws InvalidInputException if there is none, with the names and the nearest of them
   */
  public static RegisteredProof fromName(String name) {
    return find(name).orElseThrow(() -> new InvalidInputException(unknown(name)));
  }

  private static String unknown(String name) {
    String nearest = NearestName.find(name, ALL.stream().map(RegisteredProof::name).toList());
    return "no registered proof "
        + name
        + (nearest == null ? "" : "; did you mean " + nearest + "?")
        + "; they are StackedDrg{2KiB,8MiB,512MiB,32GiB,64GiB} followed by V1, V1_1,"
        + " V1_1_Feat_SyntheticPoRep or V1_2_Feat_NonInteractivePoRep";
  }

  /**
   * The type of a size, version and feature.
   *
   * @throws InvalidInputException if it is not registered
   */
  public static RegisteredProof of(SectorShape shape, ApiVersion api, Feature feature) {
    for (RegisteredProof proof : ALL) {
      if (proof.shape.equals(shape) && proof.api == api && proof.feature == feature) {
        return proof;
      }
    }
    throw new InvalidInputException(
        "no registered proof for " + shape.name() + ", " + api + ", " + feature);
  }

  /** The PoRep id: {@code id} as a little-endian u64, zero padded. Fresh bytes. */
  public byte[] porepId() {
    byte[] bytes = new byte[32];
    bytes[0] = (byte) id;
    return bytes;
  }

  /** The tag of the vanilla proofs in JSON, which names the size only: {@code StackedDrg2KiBV1}. */
  public String vanillaTag() {
    return "StackedDrg" + shape.name() + "V1";
  }

  @Override
  public String toString() {
    return name;
  }
}
