// No repositories and no dependencies on purpose: an import needs nothing but Gradle.
plugins {
    `java-library`
}

group = "sample.lib"
version = "1.0.0"

tasks.withType<JavaCompile>().configureEach {
    options.release.set(17)
    options.encoding = "UTF-8"
}
