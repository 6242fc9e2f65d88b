package io.cuzk.groth16;

import io.cuzk.InvalidInputException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A circuit's parameters in a mapped file: bellperson's {@code .params}, or the native file made
 * from it. Thread-safe; the points may not be read after {@link #close}.
 */
public sealed interface ProvingKeyFile extends AutoCloseable permits ParameterFile, NativeKeyFile {
  /**
   * Opens the parameters for proving: the {@link NativeKeyFile} beside a {@code .params} file where
   * there is one, else that file itself. Either is checked first, and held against the verifying
   * key beside it.
   *
   * @throws InvalidInputException if a file is damaged, or the native one was made from other
   *     parameters: it is never passed over silently
   */
  static ProvingKeyFile openTrusted(Path params, Path vk) {
    Path beside = NativeKeyFile.beside(params);
    return Files.exists(beside)
        ? NativeKeyFile.openTrusted(beside, params, vk)
        : ParameterFile.openTrusted(params, vk);
  }

  /** Where the file lies. */
  Path path();

  /** {@code params} or {@code native}. */
  String layout();

  /** Length of the file. */
  long bytes();

  /** The verifying key in it. */
  VerifyingKey vk();

  /** The key over this file's points; it has a digest only if the file was opened as trusted. */
  ProvingKey provingKey();

  /** Unmaps the file. */
  @Override
  void close();
}
