package io.cuzk.groth16;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The parameter files of Filecoin's PoRep circuits that the network published: versions 28 (in use)
 * and 27, five sector sizes each. A digest is the first 16 bytes of the file's BLAKE2b-512 in hex,
 * as in {@code parameters.json} of rust-fil-proofs, from which these facts are.
 */
public final class PublishedDigests {
  /** A published file: where it can be fetched by content, its digest, its sector size. */
  public record Entry(String fileName, String cid, String digest, long sectorBytes) {}

  private static final String PORTABLE =
      "-stacked-proof-of-replication-merkletree-poseidon_hasher-";
  private static final String IDENTIFIER_2K =
      PORTABLE
          + "8-0-0-sha256_hasher-032d3138d22506ec0082ed72b2dcba18df18477904e35bafee82b3793b06832f";
  private static final String IDENTIFIER_8M =
      PORTABLE
          + "8-0-0-sha256_hasher-ecd683648512ab1765faa2a5f14bab48f676e633467f0aa8aad4b55dcb0652bb";
  private static final String IDENTIFIER_512M =
      PORTABLE
          + "8-0-0-sha256_hasher-6babf46ce344ae495d558e7770a585b2382d54f225af8ed0397b8be7c3fcd472";
  private static final String IDENTIFIER_32G =
      PORTABLE
          + "8-8-0-sha256_hasher-82a357d2f2ca81dc61bb45f4a762807aedee1b0a53fd6c4e77b46a01bfef7820";
  private static final String IDENTIFIER_64G =
      PORTABLE
          + "8-8-2-sha256_hasher-96f1b4a04c5c51e4759bbf224bbc2ef5a42c7100f16ec0637123f16a845ddfb2";

  private static final Map<Long, String> IDENTIFIERS =
      Map.of(
          1L << 11, IDENTIFIER_2K,
          1L << 23, IDENTIFIER_8M,
          1L << 29, IDENTIFIER_512M,
          1L << 35, IDENTIFIER_32G,
          1L << 36, IDENTIFIER_64G);

  private static final List<Entry> ENTRIES =
      Stream.of(
              pair(
                  28,
                  1L << 11,
                  "QmWceMgnWYLopMuM4AoGMvGEau7tNe5UK83XFjH5V9B17h",
                  "434fb1338ecfaf0f59256f30dde4968f",
                  "QmamahpFCstMUqHi2qGtVoDnRrsXhid86qsfvoyCTKJqHr",
                  "dc1ade9929ade1708238f155343044ac"),
              pair(
                  28,
                  1L << 23,
                  "QmPXAPPuQtuQz7Zz3MHMAMEtsYwqM1o9H1csPLeiMUQwZH",
                  "09e612e4eeb7a0eb95679a88404f960c",
                  "QmYCuipFyvVW1GojdMrjK1JnMobXtT4zRCZs1CGxjizs99",
                  "b687beb9adbd9dabe265a7e3620813e4"),
              pair(
                  28,
                  1L << 29,
                  "QmYBpTt7LWNAWr1JXThV5VxX7wsQFLd1PHrGYVbrU1EZjC",
                  "6c77597eb91ab936c1cef4cf19eba1b3",
                  "QmWionkqH2B6TXivzBSQeSyBxojaiAFbzhjtwYRrfwd8nH",
                  "065179da19fbe515507267677f02823e"),
              pair(
                  28,
                  1L << 35,
                  "QmengpM684XLQfG8754ToonszgEg2bQeAGUan5uXTHUQzJ",
                  "6a388072a518cf46ebd661f5cc46900a",
                  "Qmf93EMrADXAK6CyiSfE8xx45fkMfR3uzKEPCvZC1n2kzb",
                  "0c7b4aac1c40fdb7eb82bc355b41addf"),
              pair(
                  28,
                  1L << 36,
                  "QmS7ye6Ri2MfFzCkcUJ7FQ6zxDKuJ6J6B8k5PN7wzSR9sX",
                  "1801f8a6e1b00bceb00cc27314bb5ce3",
                  "QmehSmC6BhrgRZakPDta2ewoH9nosNzdjCqQRXsNFNUkLN",
                  "a89884252c04c298d0b3c81bfd884164"),
              pair(
                  27,
                  1L << 11,
                  "QmRjgZHERgqGoRagR788Kh6ybi26csVYa8mqbqhmZm57Jx",
                  "cfc7b0897d1eee48c586f7beb89e67f7",
                  "QmNjvnvFP7KgovHUddULoB19fBHT81iz7NcUbzEHZUUPsm",
                  "fb59bd061c987eac7068008c44de346b"),
              pair(
                  27,
                  1L << 23,
                  "QmV8ZjTSGzDUWmFvsq9NSyPBR7eDDUcvCPNgj2yE7HMAFu",
                  "34f3ddf1d1c9f41c0cd73b91e8b4bc27",
                  "QmTa3VbjTiqJWU6r4WKayaQrUaaBsrpp5UDqYvPDd2C5hs",
                  "ec62d59651daa5631d3d1e9c782dd940"),
              pair(
                  27,
                  1L << 29,
                  "QmTpRPBA4dt8fgGpcVzi4L1KA1U2eBHCE8WVmS2GUygMvT",
                  "36d465915b0afbf96bd08e7915e00952",
                  "QmRzDyVfQCLsxspoVsed5bcQRsG6KiktngJfcNBL3TJPZe",
                  "99d16df0eb6a7e227a4f4570c4f6b6f1"),
              pair(
                  27,
                  1L << 35,
                  "Qmf8ngfArxrv9tFWDqBcNegdBMymvuakwyHKd1pbW3pbsb",
                  "a16d6f4c6424fb280236739f84b24f97",
                  "QmfQgVFerArJ6Jupwyc9tKjLD9n1J9ajLHBdpY465tRM7M",
                  "7a139d82b8a02e35279d657e197f5c1f"),
              pair(
                  27,
                  1L << 36,
                  "QmfDha8271nXJn14Aq3qQeghjMBWbs6HNSGa6VuzCVk4TW",
                  "5d3cd3f107a3bea8a96d1189efd2965c",
                  "QmRVtTtiFzHJTHurYzaCvetGAchux9cktixT4aGHthN6Zt",
                  "62c366405404e60f171e661492740b1c"))
          .flatMap(List::stream)
          .toList();

  private static final Map<String, Entry> BY_NAME =
      ENTRIES.stream().collect(Collectors.toUnmodifiableMap(Entry::fileName, Function.identity()));

  private PublishedDigests() {}

  private static List<Entry> pair(
      int version,
      long sectorBytes,
      String paramsCid,
      String paramsDigest,
      String vkCid,
      String vkDigest) {
    String stem = "v" + version + IDENTIFIERS.get(sectorBytes);
    return List.of(
        new Entry(stem + ".params", paramsCid, paramsDigest, sectorBytes),
        new Entry(stem + ".vk", vkCid, vkDigest, sectorBytes));
  }

  /** All published files. */
  public static List<Entry> entries() {
    return ENTRIES;
  }

  /** The published file of that name, if there is one. */
  public static Optional<Entry> ofFile(String fileName) {
    return Optional.ofNullable(BY_NAME.get(fileName));
  }

  /** The published file with that digest, under whatever name it lies here. */
  public static Optional<Entry> ofDigest(String digest) {
    return ENTRIES.stream().filter(entry -> entry.digest().equals(digest)).findFirst();
  }

  /**
   * The name, without extension, that Filecoin's software looks for: {@code
   * v28-stacked-proof-of-replication-…}. Empty for sector sizes without a registered proof.
   */
  public static Optional<String> fileStem(long sectorBytes) {
    return Optional.ofNullable(IDENTIFIERS.get(sectorBytes)).map(identifier -> "v28" + identifier);
  }
}
