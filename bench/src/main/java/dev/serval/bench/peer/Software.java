package dev.serval.bench.peer;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A server of the system, and how it is started in the foreground with a configuration.
enum Software {
    NGINX("nginx", "nginx", "nginx-light", "-v", "-p FOLDER -c FILE"),
    HTTPD("Apache httpd", "apache2", "apache2-bin", "-v", "-d FOLDER -f FILE -D FOREGROUND"),
    H2O("h2o", "h2o", "h2o", "--version", "-m worker -c FILE"),
    HAPROXY("HAProxy", "haproxy", "haproxy", "-v", "-db -f FILE"),
    PHP("php-fpm", "php-fpm8.2", "php8.2-fpm", "-v", "-R -F -n -y FILE");

    private final String title;
    private final String program;
    private final String debianPackage;
    private final String versionOption;
    private final String arguments;

    Software(
            String title,
            String program,
            String debianPackage,
            String versionOption,
            String arguments) {
        this.title = title;
        this.program = program;
        this.debianPackage = debianPackage;
        this.versionOption = versionOption;
        this.arguments = arguments;
    }

    /// Returns how to install it, or empty if it is installed.
    Optional<String> missing() {
        boolean there =
                Programs.find(program).isPresent()
                        && (this != HTTPD || Files.isDirectory(SystemPeer.HTTPD_MODULES));
        return there
                ? Optional.empty()
                : Optional.of(title + " is not installed: apt-get install " + debianPackage);
    }

    String version() {
        return Programs.firstLine(List.of(path(), versionOption));
    }

    private String path() {
        return Programs.find(program).orElseThrow().toString();
    }

    /// Writes its configuration and returns its command.
    ///
    /// @param folder its own folder, which is also the value `folder`
    /// @param resource the text of the configuration, with values such as `${port}`
    List<String> command(Path folder, String resource, Map<String, String> values)
            throws IOException {
        String text = text(resource, values).replace("${folder}", folder.toString());
        Path file = Files.writeString(folder.resolve(resource), text);
        List<String> command = new ArrayList<>(List.of(path()));
        for (String argument : arguments.split(" ", -1)) {
            command.add(
                    switch (argument) {
                        case "FOLDER" -> folder.toString();
                        case "FILE" -> file.toString();
                        default -> argument;
                    });
        }
        return command;
    }

    /// Returns the text of a resource with its values.
    static String text(String resource, Map<String, String> values) throws IOException {
        String text;
        try (InputStream in = Software.class.getResourceAsStream(resource)) {
            if (in == null) {
                throw new IllegalStateException("resource missing: " + resource);
            }
            text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
        for (Map.Entry<String, String> value : values.entrySet()) {
            text = text.replace("${" + value.getKey() + "}", value.getValue());
        }
        return text;
    }
}
