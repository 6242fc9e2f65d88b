package io.cuzk.submit;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

final class ArchitectureTest {
  @Test
  void devicesAreReachedThroughTheServiceInterfaceOnly() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("jcuda..", "org.jcuda..", "io.cuzk.gpu..")
        .check(
            new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("io.cuzk.submit"));
  }
}
