package io.cuzk.submit;

import picocli.CommandLine.IVersionProvider;

/** The version in the jar's manifest. */
final class Version implements IVersionProvider {
  @Override
  public String[] getVersion() {
    String version = Version.class.getPackage().getImplementationVersion();
    return new String[] {
      "cuzk " + (version == null ? "development" : version),
      "Java " + Runtime.version(),
      "Spark " + org.apache.spark.package$.MODULE$.SPARK_VERSION()
    };
  }
}
