package dev.serval.bench.peer;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// What must be installed for a peer, how to get it, and how to find its version.
///
/// @param debian the Debian package, or null
/// @param maven coordinates `GROUP:ARTIFACT`, if the build of the suite copies the jars, or
///     `GROUP:ARTIFACT:VERSION`; or null
/// @param program its command on the PATH or in the folders for servers, or null
/// @param requires more files and folders that must exist
/// @param jars folder of its jars, below the suite's folder of jars
/// @param versionCommand prints the version; empty if the name of the jar or the suite's own build
///     has it
/// @param versionPattern finds the version in the output; its first group, or all of it
record Software(
        String title,
        @Nullable String debian,
        @Nullable String maven,
        @Nullable String program,
        List<String> requires,
        String jars,
        List<String> versionCommand,
        @Nullable Pattern versionPattern) {
    /// The version of a program of the suite.
    private static final String OWN = "this build";

    private static final String UNKNOWN = "unknown";

    /// Returns the same software under another title.
    Software titled(String other) {
        return new Software(
                other, debian, maven, program, requires, jars, versionCommand, versionPattern);
    }

    /// Returns what is missing and the command to get it, or empty if all is present.
    ///
    /// @param peers the suite's folder of jars
    Optional<String> missing(Path peers) {
        if (maven != null && jarVersion(peers).equals(UNKNOWN)) {
            return Optional.of(
                    "%s has no %s-*.jar: %s"
                            .formatted(peers.resolve(jars), artifact(), mavenCommand(peers)));
        }
        boolean there =
                (program == null || Programs.find(program).isPresent())
                        && requires.stream().allMatch(one -> Files.exists(Path.of(one)));
        if (there) {
            return Optional.empty();
        }
        String command = debian == null ? "install it" : "apt-get install " + debian;
        return Optional.of(title + " is not installed: " + command);
    }

    private String mavenCommand(Path peers) {
        String coordinates = String.valueOf(maven);
        if (coordinates.split(":", -1).length == 2) {
            return "./serval verify builds it, and so does mvn package";
        }
        return "mvn dependency:copy -Dartifact=%s -DoutputDirectory=%s"
                .formatted(coordinates, peers.resolve(jars).toAbsolutePath());
    }

    private String artifact() {
        return String.valueOf(maven).split(":", -1)[1];
    }

    /// Returns the version, or `unknown`.
    String version(Path peers) {
        if (versionPattern == null) {
            return maven == null ? OWN : jarVersion(peers);
        }
        List<String> command =
                versionCommand.stream()
                        .map(word -> word.replace("${java}", JavaCommand.java()))
                        .map(word -> word.replace("${program}", path()))
                        .toList();
        try {
            Matcher found = versionPattern.matcher(Programs.output(command));
            if (!found.find()) {
                return UNKNOWN;
            }
            return found.groupCount() == 0 ? found.group() : found.group(1);
        } catch (BenchFailure e) {
            return UNKNOWN;
        }
    }

    /// Returns the path of its program, or an empty text if it has none.
    String path() {
        return Optional.ofNullable(program).flatMap(Programs::find).map(Path::toString).orElse("");
    }

    private String jarVersion(Path peers) {
        String begin = artifact() + "-";
        try (DirectoryStream<Path> found =
                Files.newDirectoryStream(peers.resolve(jars), begin + "[0-9]*.jar")) {
            for (Path jar : found) {
                String name = jar.getFileName().toString();
                return name.substring(begin.length(), name.length() - ".jar".length());
            }
            return UNKNOWN;
        } catch (IOException e) {
            return UNKNOWN;
        }
    }
}
