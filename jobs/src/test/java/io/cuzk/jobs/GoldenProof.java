package io.cuzk.jobs;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;

/** The Rust stack's 2 KiB proof as if a task of ours had made it. */
final class GoldenProof {
  static final String SECTOR = "s-t01000-42";
  static final String KEY_NAME =
      KeyFiles.of(Path.of(""), io.cuzk.porep.SectorShape.of("2KiB")).name();

  private GoldenProof() {}

  static byte[] resource(String name) {
    try (InputStream in = GoldenProof.class.getResourceAsStream("/golden/" + name)) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static JsonNode json(String name) {
    try {
      return new ObjectMapper().readTree(resource(name));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static byte[] verifyingKey() {
    return HexFormat.of().parseHex(json("params-2KiB.json").path("vk_hex").asText());
  }

  /** Writes the verifying key under its name. */
  static void writeKey(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.write(directory.resolve(KEY_NAME + ".vk"), verifyingKey());
  }

  static byte[] proof() {
    return HexFormat.of().parseHex(json("proof-2KiB.json").path("proof_hex_192").asText());
  }

  static byte[] publicInputs() {
    ByteArrayOutputStream inputs = new ByteArrayOutputStream();
    for (JsonNode input : json("proof-2KiB.json").path("public_inputs")) {
      inputs.writeBytes(HexFormat.of().parseHex(input.asText()));
    }
    return inputs.toByteArray();
  }

  static SectorScan scan(String path) {
    return new SectorScan(
        path,
        134205,
        "ab".repeat(32),
        "StackedDrg2KiBV1_1",
        "2KiB",
        2048,
        1,
        new byte[32],
        new byte[32],
        new byte[32],
        1000L,
        42L,
        true,
        0,
        io.cuzk.prover.PartitionOrder.NO_DEADLINE,
        null);
  }

  static PartitionEntry entry(byte[] proof, byte[] publicInputs) {
    ProofRecord record =
        new ProofRecord(
            ProofRecord.SCHEMA_VERSION,
            "run",
            SECTOR,
            1000L,
            42L,
            true,
            0,
            1,
            "StackedDrg2KiBV1_1",
            2048,
            new byte[32],
            new byte[32],
            new byte[32],
            "/c1/x.json",
            "ab".repeat(32),
            KEY_NAME,
            "cd".repeat(16),
            "ef".repeat(32),
            Digests.sha256(verifyingKey()),
            proof,
            publicInputs,
            true,
            "cpu",
            "cpu, 2 threads",
            "3",
            "host",
            "driver",
            "compiled",
            2,
            0,
            Instant.parse("2026-01-02T03:04:05.678901Z"),
            1L << 40,
            2L << 40);
    PhaseRecord phase =
        new PhaseRecord(
            ProofRecord.SCHEMA_VERSION,
            "run",
            SECTOR,
            0,
            0,
            "msm.h",
            5,
            7_000_000_000L,
            null,
            "cpu",
            "cpu, 2 threads",
            "host",
            "driver");
    return new PartitionEntry(
        SECTOR,
        0,
        record,
        null,
        null,
        1L << 40,
        List.of(phase),
        device(1L << 31, 1980, 51, 1L << 33));
  }

  /** Of the same device, a later reading; of a partition that failed. */
  static PartitionEntry hotter() {
    return new PartitionEntry(
        SECTOR,
        1,
        null,
        PartitionEntry.DEVICE,
        "no reason",
        1,
        List.of(),
        device(1L << 30, 1410, 83, 1L << 34));
  }

  static DeviceRecord device(long peak, int clockMhz, int celsius, long usedBytes) {
    return new DeviceRecord(
        ProofRecord.SCHEMA_VERSION,
        "run",
        "host",
        "driver",
        "cpu",
        "cpu, 2 threads",
        null,
        "a cpu",
        2,
        1L << 34,
        "25",
        peak,
        "580.00.01",
        "assembled for sm_90",
        clockMhz,
        3201,
        celsius,
        usedBytes,
        3);
  }

  /** A proof as if it had been made at that time, for runs that are computed by hand. */
  static ProofRecord at(
      String session,
      String sector,
      int partition,
      int partitions,
      String executor,
      long beginSeconds,
      long nanos) {
    ProofRecord of = entry(new byte[192], new byte[32]).proof();
    return new ProofRecord(
        ProofRecord.SCHEMA_VERSION,
        session,
        sector,
        null,
        null,
        true,
        partition,
        partitions,
        of.registeredProof(),
        2048,
        of.commR(),
        of.commD(),
        of.replicaId(),
        "c1",
        "00",
        "key",
        "00",
        null,
        "00",
        of.proof(),
        of.publicInputs(),
        true,
        "cpu",
        "cpu",
        executor,
        "host",
        executor,
        "compiled",
        1,
        0,
        Instant.ofEpochSecond(beginSeconds),
        nanos,
        nanos);
  }
}
