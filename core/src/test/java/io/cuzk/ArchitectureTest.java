package io.cuzk;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import io.cuzk.field.Fp;
import java.lang.classfile.Attributes;
import java.lang.classfile.ClassFile;
import java.lang.classfile.MethodModel;
import java.lang.classfile.attribute.CodeAttribute;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The house rules of {@code core} that the compiler does not know. */
final class ArchitectureTest {
  private static final JavaClasses CORE =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.cuzk");

  /**
   * Each room with the rooms it may use; itself, and the exceptions of io.cuzk, go without saying.
   */
  private static final Map<String, Set<String>> ROOMS = new LinkedHashMap<>();

  static {
    ROOMS.put("parallel", Set.of());
    ROOMS.put("field", Set.of("parallel"));
    ROOMS.put("lanes", Set.of("parallel", "field"));
    ROOMS.put("curve", Set.of("parallel", "field"));
    ROOMS.put("poly", Set.of("parallel", "field"));
    ROOMS.put("msm", Set.of("parallel", "field", "curve"));
    ROOMS.put("hash", Set.of("parallel", "field"));
    ROOMS.put("r1cs", Set.of("parallel", "field"));
    ROOMS.put("gadget", Set.of("parallel", "field", "hash", "r1cs"));
    ROOMS.put("circuit", Set.of("parallel", "field", "r1cs"));
    ROOMS.put(
        "groth16", Set.of("parallel", "field", "curve", "poly", "msm", "hash", "r1cs", "circuit"));
    ROOMS.put("porep", Set.of("parallel", "field", "hash", "r1cs", "gadget", "circuit"));
    ROOMS.put(
        "prover",
        Set.of(
            "parallel",
            "field",
            "curve",
            "poly",
            "msm",
            "hash",
            "r1cs",
            "gadget",
            "circuit",
            "groth16",
            "porep"));
    ROOMS.put(
        "bench",
        Set.of(
            "parallel",
            "field",
            "curve",
            "poly",
            "msm",
            "hash",
            "r1cs",
            "circuit",
            "groth16",
            "porep",
            "prover"));
  }

  private static String room(JavaClass type) {
    String inside = type.getPackageName().substring("io.cuzk".length());
    return inside.isEmpty() ? "" : inside.substring(1).replaceFirst("\\..*", "");
  }

  private static String[] packages(Set<String> rooms) {
    return rooms.stream().map(room -> "io.cuzk." + room + "..").toArray(String[]::new);
  }

  private static ArchRule onlyLooksDown(String room, Set<String> may) {
    Set<String> others = new TreeSet<>(ROOMS.keySet());
    others.removeAll(may);
    others.remove(room);
    return noClasses()
        .that()
        .resideInAPackage("io.cuzk." + room + "..")
        .should()
        .dependOnClassesThat(resideInAnyPackage(packages(others)))
        .allowEmptyShould(true)
        .because("the room " + room + " stands on " + new TreeSet<>(may) + " only");
  }

  @Test
  void everyRoomLooksDownOnly() {
    ROOMS.forEach((room, may) -> onlyLooksDown(room, may).check(CORE));
  }

  /** The rule can fail: seen from the ground floor, curve uses what it may not. */
  @Test
  void theRuleSeesDependencies() {
    assertThatThrownBy(() -> onlyLooksDown("curve", Set.of()).check(CORE))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("io.cuzk.field.Fp");
  }

  /** The table itself is in order: a room uses only rooms that come before it. */
  @Test
  void theTableHasNoCycle() {
    Set<String> seen = new TreeSet<>();
    ROOMS.forEach(
        (room, may) -> {
          assertThat(seen).as("rooms below " + room).containsAll(may);
          seen.add(room);
        });
  }

  @Test
  void everyPackageIsARoom() {
    Set<String> found = new TreeSet<>();
    CORE.forEach(type -> found.add(room(type)));
    found.remove("");
    assertThat(ROOMS.keySet()).containsAll(found);
    assertThat(found).contains("field", "curve");
  }

  @Test
  void theExceptionsStandOnNothing() {
    classes()
        .that()
        .resideInAPackage("io.cuzk")
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage("java..", "io.cuzk")
        .check(CORE);
  }

  @Test
  void noPackageIsNamedAfterNothing() {
    noClasses()
        .should()
        .resideInAnyPackage("..util..", "..common..", "..impl..", "..helper..", "..manager..")
        .check(CORE);
  }

  @Test
  void coreKnowsNeitherSparkNorHadoopNorCuda() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.spark..",
            "org.apache.hadoop..",
            "jcuda..",
            "org.jcuda..",
            "io.cuzk.gpu..",
            "io.cuzk.jobs..",
            "io.cuzk.submit..",
            "com.fasterxml.jackson.databind..")
        .check(CORE);
  }

  @Test
  void nothingEndsTheProcess() {
    noClasses()
        .should()
        .callMethod(System.class, "exit", int.class)
        .orShould()
        .callMethod(Runtime.class, "exit", int.class)
        .orShould()
        .callMethod(Runtime.class, "halt", int.class)
        .check(CORE);
  }

  /**
   * HotSpot never compiles a method of more than 8,000 bytecodes: such a kernel runs 100x slower.
   */
  @Test
  void everyMethodIsShortEnoughToBeCompiled() throws Exception {
    Path root = Path.of(Fp.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    int methods = 0;
    try (Stream<Path> files = Files.walk(root)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
        for (MethodModel method : ClassFile.of().parse(file).methods()) {
          Optional<CodeAttribute> code = method.findAttribute(Attributes.code());
          if (code.isPresent() && !method.methodName().equalsString("<clinit>")) {
            assertThat(code.get().codeLength())
                .as("bytecodes of %s in %s", method.methodName(), root.relativize(file))
                .isLessThanOrEqualTo(8000);
            methods++;
          }
        }
      }
    }
    assertThat(methods).isGreaterThan(100);
  }
}
