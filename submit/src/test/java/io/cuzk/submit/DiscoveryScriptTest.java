package io.cuzk.submit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code getGpusResources.sh} with an nvidia-smi whose answers are known. */
final class DiscoveryScriptTest {
  private static final String LISTED =
      "printf '0, GPU-aaaa1111-x\\n4, GPU-bbbb2222-x\\n5, GPU-cccc3333-x\\n'";

  @TempDir private Path directory;

  private record Ended(int status, String output) {}

  private Ended run(String answer, String visible) throws IOException, InterruptedException {
    Path smi = directory.resolve("smi");
    Files.writeString(
        smi,
        "#!/bin/sh\n[ \"$*\" = '--query-gpu=index,uuid --format=csv,noheader' ] || exit 9\n"
            + answer);
    assertThat(smi.toFile().setExecutable(true)).isTrue();
    ProcessBuilder builder =
        new ProcessBuilder("bash", Path.of("bin", "getGpusResources.sh").toString())
            .redirectErrorStream(true);
    builder.environment().put("NVIDIA_SMI", smi.toString());
    builder.environment().remove("CUDA_VISIBLE_DEVICES");
    if (visible != null) {
      builder.environment().put("CUDA_VISIBLE_DEVICES", visible);
    }
    Process process = builder.start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return new Ended(process.waitFor(), output);
  }

  private List<String> addresses(String visible) throws IOException, InterruptedException {
    Ended ended = run(LISTED, visible);
    assertThat(ended.status()).as(ended.output()).isZero();
    JsonNode resource = new ObjectMapper().readTree(ended.output());
    assertThat(resource.path("name").asText()).isEqualTo("gpu");
    List<String> addresses = new ArrayList<>();
    resource.path("addresses").forEach(address -> addresses.add(address.asText()));
    return addresses;
  }

  @Test
  void addressesAreUuids() throws Exception {
    assertThat(addresses(null))
        .containsExactly("GPU-aaaa1111-x", "GPU-bbbb2222-x", "GPU-cccc3333-x");
  }

  /** As CUDA reads it: in its order, up to the first entry that means nothing. */
  @Test
  void theVariableNarrowsTheList() throws Exception {
    assertThat(addresses("4, 5")).containsExactly("GPU-bbbb2222-x", "GPU-cccc3333-x");
    assertThat(addresses("5,4,-1,0")).containsExactly("GPU-cccc3333-x", "GPU-bbbb2222-x");
    assertThat(addresses("GPU-cccc,MIG-1-2")).containsExactly("GPU-cccc3333-x", "MIG-1-2");
    for (String none : List.of("", "7", "-1")) {
      Ended ended = run(LISTED, none);
      assertThat(ended.status()).isEqualTo(5);
      assertThat(ended.output()).contains("CUDA_VISIBLE_DEVICES is \"" + none + "\"");
    }
  }

  @Test
  void whatIsNoGpuIsAnError() throws Exception {
    assertThat(run("echo 'No devices were found'", null))
        .isEqualTo(
            new Ended(
                5,
                "getGpusResources: %s listed 'Nodeviceswerefound' where index and UUID of a GPU are expected\n"
                    .formatted(directory.resolve("smi"))));
    assertThat(run("exit 0", null).output()).contains("lists no GPU on this host");
    assertThat(run("echo broken; exit 3", null).output()).contains("failed: broken");
  }
}
