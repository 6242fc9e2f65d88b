package io.cuzk.jobs;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOptions(Set.of(new ImportOption.DoNotIncludeTests()))
          .importPackages("io.cuzk.jobs");

  @Test
  void devicesAreReachedThroughTheServiceInterfaceOnly() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("jcuda..", "org.jcuda..", "io.cuzk.gpu..")
        .check(CLASSES);
  }

  @Test
  void nothingHereEndsTheProcessOrPrints() {
    noClasses().should().callMethod(System.class, "exit", int.class).check(CLASSES);
    noClasses().should().callMethod(Runtime.class, "halt", int.class).check(CLASSES);
    noClasses().should().accessField(System.class, "out").check(CLASSES);
    noClasses().should().accessField(System.class, "err").check(CLASSES);
  }

  @Test
  void jobsKnowsNothingOfTheCommandLine() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("picocli..", "io.cuzk.submit..")
        .check(CLASSES);
  }
}
