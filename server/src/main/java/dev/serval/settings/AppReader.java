package dev.serval.settings;

import dev.serval.config.Values;
import dev.serval.servlet.database.DatabaseSettings;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the settings of applications from a file. Used by one thread.
///
/// @param folder what relative paths are relative to
/// @param state the folder for logs and sessions
/// @param used whether there are applications, so that a file that is missing prevents the start
record AppReader(Path folder, Path state, boolean used, Problems problems) {
    private static final String NONE = "none";
    private static final int MINUTE_MILLIS = 60_000;

    AppChoice read(Values root) {
        Values apps = root.table("applications");
        @Nullable Path users = users(apps);
        return new AppChoice(
                apps.flag("development"),
                apps.flag("precompile"),
                logs(apps.textOrNull("logs")),
                apps.time("request-time"),
                users,
                sources(root),
                sessions(apps.table("sessions")),
                encoding(apps),
                new AppChoice.Forms(
                        Math.toIntExact(apps.number("form")),
                        Math.toIntExact(apps.number("parameters")),
                        Math.toIntExact(apps.number("parts"))));
    }

    private @Nullable Path users(Values apps) {
        @Nullable String named = apps.textOrNull("users");
        if (named == null) {
            return null;
        }
        Path file = folder.resolve(named).normalize();
        if (used) {
            RulesReader.checkUsers(file, problems.at(apps.where("users")));
        }
        return file;
    }

    private @Nullable Path logs(@Nullable String text) {
        if (text == null) {
            return state.resolve("logs");
        }
        return text.equals(NONE) ? null : folder.resolve(text).normalize();
    }

    private @Nullable Charset encoding(Values apps) {
        String name = apps.text("encoding");
        if (name.equals(NONE)) {
            return null;
        }
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException e) { // no such name, or no such charset
            problems.at(apps.where("encoding"))
                    .usage("encoding takes a charset such as \"UTF-8\", not \"" + name + "\".");
            return StandardCharsets.UTF_8;
        }
    }

    private List<DatabaseSettings> sources(Values root) {
        List<DatabaseSettings> sources = new ArrayList<>();
        Set<String> names = new HashSet<>();
        for (Values each : root.tables("data-source")) {
            if (!each.has("name") || !each.has("url")) {
                continue; // reported already
            }
            String name = each.text("name");
            if (!names.add(name)) {
                problems.at(each.where("name"))
                        .usage("Another data source has the name " + name + ": once is enough.");
            }
            sources.add(
                    DatabaseSettings.of(name, each.text("url"))
                            .as(each.textOrNull("user"), each.textOrNull("password")));
        }
        return sources;
    }

    private SessionChoice sessions(Values sessions) {
        SessionChoice.@Nullable Place place =
                SessionChoice.Place.of(sessions.text("store"), state, folder);
        @Nullable Duration timeout = sessions.has("timeout") ? sessions.time("timeout") : null;
        if (timeout != null && timeout.toMillis() % MINUTE_MILLIS != 0) {
            problems.at(sessions.where("timeout"))
                    .usage("timeout takes whole minutes, such as \"45m\" or \"2h\".");
        }
        return new SessionChoice(
                place == null ? new SessionChoice.Place.Memory() : place,
                timeout,
                sessions.text("save").equals("stop"),
                sessions.flag("sync"),
                sessions.texts("allow"));
    }
}
