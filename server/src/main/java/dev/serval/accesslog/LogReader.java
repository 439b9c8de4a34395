package dev.serval.accesslog;

import dev.serval.config.Values;
import dev.serval.log.LogFormat;
import dev.serval.log.LogSettings;
import dev.serval.log.Rotation;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the tables `[[log]]` of a file, and what mounts and hosts choose. Used by one thread.
///
/// @param folder what relative paths are relative to
/// @param problems takes what is wrong
public record LogReader(Path folder, Complaint problems) {
    /// Takes what is wrong, and where.
    @FunctionalInterface
    public interface Complaint {
        /// Takes a sentence.
        ///
        /// @param machine whether it is a problem of this machine only
        void at(String where, boolean machine, String sentence);
    }

    /// Returns the logs.
    public List<LogChoice> read(Values root) {
        List<LogChoice> all = new ArrayList<>();
        Set<String> names = new HashSet<>();
        Set<Path> files = new HashSet<>();
        for (Values log : root.tables("log")) {
            if (!log.has("file")) {
                continue; // reported already
            }
            String name = log.has("name") ? log.text("name") : LogChoice.SERVER;
            Path file = folder.resolve(log.text("file")).toAbsolutePath().normalize();
            if (!names.add(name)) {
                wrong(
                        log.where("name"),
                        name.isEmpty()
                                ? "Another log has no name either: give this one a name, by which"
                                        + " mounts choose it."
                                : "Another log has this name: choose another.");
            }
            if (!files.add(file)) {
                wrong(log.where("file"), "Another log has this file: each needs one of its own.");
            }
            @Nullable LogFormat format = format(log);
            @Nullable String obstacle = LogChoice.obstacle(file);
            if (obstacle != null) {
                problems.at(log.where("file"), true, obstacle);
            }
            if (format != null) {
                all.add(
                        new LogChoice(
                                name,
                                new LogSettings(
                                        file,
                                        format,
                                        log.flag("shorten"),
                                        rotation(log),
                                        LogChoice.zone())));
            }
        }
        checkNames(root, names);
        return all;
    }

    private @Nullable LogFormat format(Values log) {
        boolean pattern = log.has("pattern");
        if (pattern && log.has("format")) {
            wrong(
                    log.where("pattern"),
                    "This log has a format and a pattern: it takes one of them.");
            return null;
        }
        String key = pattern ? "pattern" : "format";
        try {
            return LogFormat.of(log.text(key), LogChoice.zone());
        } catch (IllegalArgumentException e) {
            wrong(log.where(key), e.getMessage() + ".");
            return null;
        }
    }

    private Rotation rotation(Values log) {
        Rotation rotation =
                new Rotation(
                        log.number("rotate-size"),
                        log.flag("rotate-daily"),
                        (int) log.number("keep"),
                        log.flag("compress"));
        boolean never = rotation.maxBytes() == 0 && !rotation.daily();
        for (String key : List.of("keep", "compress")) {
            if (never && log.has(key)) {
                wrong(
                        log.where(key),
                        key
                                + " has no effect without rotate-size or rotate-daily: add one of them.");
            }
        }
        return rotation;
    }

    /// Returns the logs with a name that no mount and no host chooses. Nothing is written to them.
    public static List<Values> unused(Values root) {
        Set<String> chosen = new HashSet<>();
        for (Values each : choosing(root)) {
            @Nullable String name = each.textOrNull("log");
            if (name != null) {
                chosen.add(name);
            }
        }
        return root.tables("log").stream()
                .filter(log -> log.has("name") && !chosen.contains(log.text("name")))
                .toList();
    }

    /// Returns the tables that may choose a log.
    private static List<Values> choosing(Values root) {
        List<Values> all = new ArrayList<>(root.tables("mount"));
        for (Values host : root.tables("host")) {
            all.add(host);
            all.addAll(host.tables("mount"));
        }
        return all;
    }

    private void checkNames(Values root, Set<String> names) {
        for (Values each : choosing(root)) {
            @Nullable String name = each.textOrNull("log");
            if (name != null && !name.equals(LogChoice.OFF) && !names.contains(name)) {
                wrong(
                        each.where("log"),
                        "There is no log with the name \""
                                + name
                                + "\": add [[log]] with name = \""
                                + name
                                + "\", or write \"off\".");
            }
        }
    }

    private void wrong(String where, String sentence) {
        problems.at(where, false, sentence);
    }
}
