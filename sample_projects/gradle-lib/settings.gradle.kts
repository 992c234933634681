rootProject.name = "gradle-lib"
