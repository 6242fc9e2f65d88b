package io.cuzk.gpu;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

/** The house rules of this module that the compiler does not know. */
final class ArchitectureTest {
  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("io.cuzk.gpu");

  /** Algorithms stand on {@link GpuDevice} only, so that all of them run on the simulator. */
  @Test
  void onlyTheDriversLayerKnowsJCuda() {
    noClasses()
        .that()
        .haveNameNotMatching(
            "io\\.cuzk\\.gpu\\.(JCuda\\w+(\\$\\w+)?|CubinAssembler|CudaDriver(\\$\\w+)?|Devices|HostAddress"
                + "|DeviceAddress)")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("jcuda..")
        .check(CLASSES);
  }

  /**
   * It stands beside the product and behind {@link GpuDevice}: nothing that proves is built on it.
   */
  @Test
  void onlyItsOwnPackagesKnowTheSimulator() {
    noClasses()
        .that()
        .resideInAPackage("io.cuzk.gpu")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.cuzk.gpu.ptx..", "io.cuzk.gpu.simulator..")
        .check(CLASSES);
  }

  /** The interpreter of PTX knows neither the product's classes nor its field arithmetic. */
  @Test
  void thePtxSimulatorStandsAlone() {
    noClasses()
        .that()
        .resideInAPackage("io.cuzk.gpu.ptx")
        .should()
        .dependOnClassesThat(
            resideInAnyPackage("io.cuzk..", "jcuda..")
                .and(DescribedPredicate.not(resideInAPackage("io.cuzk.gpu.ptx"))))
        .check(CLASSES);
  }

  @Test
  void nothingHereKnowsASchedulerOrTheCommandLine() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "org.apache.spark..",
            "org.apache.hadoop..",
            "io.cuzk.jobs..",
            "io.cuzk.submit..",
            "picocli..")
        .check(CLASSES);
  }

  /** JCuda's other modules need libraries of CUDA that a driver alone does not bring. */
  @Test
  void onlyTheDriversApiIsUsed() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("jcuda.runtime..", "jcuda.nvrtc..")
        .check(CLASSES);
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
        .check(CLASSES);
  }
}
