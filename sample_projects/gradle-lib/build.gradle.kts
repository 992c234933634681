// No repositories and no dependencies on purpose: the project must import without a network.
plugins {
    `java-library`
}

group = "sample.lib"
version = "1.0.0"

tasks.withType<JavaCompile>().configureEach {
    options.release.set(17)
    options.encoding = "UTF-8"
}
