package dev.serval.admin;

import dev.serval.app.App;
import dev.serval.app.AppExchange;
import dev.serval.app.HttpException;
import dev.serval.config.Keys;
import dev.serval.config.Node;
import dev.serval.control.Commands;
import dev.serval.figures.ExpositionFormat;
import dev.serval.figures.ServerFigures;
import dev.serval.handler.Handler;
import dev.serval.http.Method;
import dev.serval.live.LivePage;
import dev.serval.settings.AdminChoice;
import dev.serval.settings.ExitCodes;
import dev.serval.site.Reloads;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Administration by HTTP:
///
/// | request | what it does |
/// |---|---|
/// | GET `/config/…` | the configuration in force, or a part of it, as JSON |
/// | PUT, PATCH, DELETE `/config/…` | replaces, patches (RFC 7396) or removes a part |
/// | POST `/reload`, `/reopen` | as the commands |
/// | POST `/deploy`, `/undeploy` | `{"at": "/shop", "app": "/srv/shop.war"}` |
/// | GET `/status` | what `serval status` shows |
/// | GET `/` | the live page |
/// | GET `/metrics` | metrics as Prometheus text or OpenMetrics |
/// | POST `/drain` | `{"drain": "on"}`, or `"off"` |
/// | PUT `/load-mode` | `{"mode": "heavy"}`, or `"auto"`; GET `/status` shows it |
/// | PUT `/log-level` | `{"logger": "dev.serval", "level": "DEBUG"}` |
///
/// A change has the checks of the file, and is carried out as a whole or not at all. Its ETag names
/// the configuration; `If-Match` refuses a change of another one (RFC 9110 §13.1.1). `?save=yes`
/// also writes the file, with its comments. Used by Workers.
public final class AdminSite {
    private static final int DEPTH_MAX = 20;
    private static final JsonMapper JSON =
            JsonMapper.builder(
                            JsonFactory.builder()
                                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                                    .streamReadConstraints(
                                            StreamReadConstraints.builder()
                                                    .maxNestingDepth(DEPTH_MAX)
                                                    .build())
                                    .build())
                    .build();

    private final Reloads reloads;
    private final Commands commands;
    private final Map<String, String> environment;

    private AdminSite(Reloads reloads, Commands commands, Map<String, String> environment) {
        this.reloads = reloads;
        this.commands = commands;
        this.environment = Map.copyOf(environment);
    }

    /// Returns the handler of an administration listener.
    ///
    /// @param choice has the passwords
    /// @param commands carries out what commands do
    /// @param figures what the server measures
    /// @param page the live page
    /// @param environment the variables that texts may use
    public static Handler handler(
            AdminChoice choice,
            Reloads reloads,
            Commands commands,
            ServerFigures figures,
            LivePage page,
            Map<String, String> environment) {
        AdminGuard guard = new AdminGuard(choice);
        AdminSite site = new AdminSite(reloads, commands, environment);
        App.Builder routes = App.builder();
        page.addTo(routes);
        return routes.filter(
                        (x, next) -> {
                            x.field("Cache-Control", "no-store");
                            if (guard.admits(x)) {
                                next.handle(x);
                            }
                        })
                .exception(HttpException.class, AdminSite::refused)
                .get("/config", x -> site.read(x, ""))
                .get("/config/{path...}", x -> site.read(x, x.param("path")))
                .put("/config", x -> site.change(x, ""))
                .put("/config/{path...}", x -> site.change(x, x.param("path")))
                .patch("/config", x -> site.change(x, ""))
                .patch("/config/{path...}", x -> site.change(x, x.param("path")))
                .delete("/config/{path...}", x -> site.change(x, x.param("path")))
                .get("/status", x -> site.command(x, List.of("status")))
                .get("/metrics", x -> metrics(x, figures))
                .post("/reload", x -> site.command(x, List.of("reload")))
                .post("/reopen", x -> site.command(x, List.of("reopen")))
                .put("/log-level", AdminSite::logLevel)
                .post(
                        "/drain",
                        x -> site.command(x, List.of("drain", text(json(x), "drain", "on"))))
                .put(
                        "/load-mode",
                        x -> site.command(x, List.of("load-mode", text(json(x), "mode", null))))
                .post("/deploy", site::deploy)
                .post("/undeploy", site::undeploy)
                .otherwise(x -> {
                    throw new HttpException(404, "Nothing is at " + x.path() + ".");
                })
                .build();
    }

    private static void metrics(AppExchange x, ServerFigures figures) throws InterruptedException {
        ExpositionFormat format = ExpositionFormat.of(x.field("Accept"));
        byte[] text = figures.text(format).getBytes(StandardCharsets.UTF_8);
        x.field("Vary", "Accept").bytes(text, format.contentType());
    }

    private ObjectNode config() {
        Node.@Nullable Table tree = reloads.tree();
        return tree == null ? JSON.createObjectNode() : JsonTree.json(tree, Keys.ROOT);
    }

    private void read(AppExchange x, String path) {
        ObjectNode root = config();
        @Nullable JsonNode found = JsonPath.of(path).find(root);
        if (found == null) {
            throw new HttpException(404, "The configuration has no " + path + ".");
        }
        x.field("ETag", tag(root)).json(JSON.writeValueAsString(found));
    }

    private void change(AppExchange x, String text) throws IOException {
        boolean removes = x.method() == Method.DELETE;
        JsonNode sent =
                removes ? JSON.nullNode() : json(x); // before the lock: a client may be slow
        if (sent.isMissingNode()) {
            throw new HttpException(400, "The request has no content: send a value as JSON.");
        }
        JsonPath path = JsonPath.of(text);
        Method method = x.method();
        @Nullable String expected = x.field("If-Match");
        Reloads.Outcome outcome =
                reloads.change(
                        (present, mistakes) -> {
                            ObjectNode root = JsonTree.json(present, Keys.ROOT);
                            check(expected, tag(root));
                            ObjectNode changed =
                                    removes
                                            ? removed(root, path)
                                            : changed(root, path, method, sent);
                            return JsonTree.tree(changed, present, environment, mistakes);
                        },
                        "yes".equals(x.query("save")));
        if (outcome instanceof Reloads.Outcome.Wrong wrong) {
            answer(x.status(422), Map.of("mistakes", wrong.sentences()));
        } else if (outcome instanceof Reloads.Outcome.Failed failed) {
            answer(x.status(409), Map.of("mistakes", List.of(failed.why())));
        } else if (outcome instanceof Reloads.Outcome.Unsaved unsaved) {
            applied(x.status(500), unsaved.applied(), List.of(unsaved.why()));
        } else if (outcome instanceof Reloads.Outcome.Applied applied) {
            applied(x, applied, List.of());
        }
    }

    private static void applied(
            AppExchange x, Reloads.Outcome.Applied applied, List<String> mistakes) {
        Map<String, List<String>> lists = new LinkedHashMap<>();
        lists.put("mistakes", mistakes);
        lists.put("changes", applied.differences().stream().map(Object::toString).toList());
        lists.put("warnings", applied.warnings());
        lists.values().removeIf(List::isEmpty);
        lists.putIfAbsent("changes", List.of());
        x.field("ETag", tag(JsonTree.json(applied.tree(), Keys.ROOT)));
        answer(x, lists);
    }

    /// Refuses a change of another configuration than the client knows. A condition is a list of tags,
    /// which are compared as a whole.
    private static void check(@Nullable String expected, String tag) {
        if (expected == null || expected.strip().equals("*")) {
            return;
        }
        for (String each : expected.split(",", -1)) {
            if (each.strip().equals(tag)) {
                return;
            }
        }
        throw new HttpException(412, "The configuration is another one by now: read it again.");
    }

    /// Returns the configuration without a part.
    private static ObjectNode removed(ObjectNode root, JsonPath path) {
        if (path.steps().isEmpty() || !path.remove(root)) {
            throw new HttpException(404, "The configuration has nothing there.");
        }
        return root;
    }

    /// Returns the configuration with a part replaced or patched.
    private static ObjectNode changed(
            ObjectNode root, JsonPath path, Method method, JsonNode sent) {
        JsonNode value = method == Method.PATCH ? MergePatch.applied(path.find(root), sent) : sent;
        if (path.steps().isEmpty()) {
            if (value instanceof ObjectNode whole) {
                return whole;
            }
            throw new HttpException(422, "A configuration is an object.");
        }
        if (!path.put(root, value)) {
            throw new HttpException(404, "The configuration has no place for that.");
        }
        return root;
    }

    /// Reads the content of a request. A page of another site can send no such type without a question
    /// of its browser that nothing answers (Fetch standard, "CORS-preflight").
    private static JsonNode json(AppExchange x) throws IOException {
        if (!isJson(x.field("Content-Type"))) {
            throw new HttpException(415, "Send application/json.");
        }
        try {
            return JSON.readTree(x.body());
        } catch (JacksonException e) {
            throw new HttpException(400, explained(e));
        }
    }

    /// Leaves out the names of types and settings in the message, which say nothing to a client.
    private static String explained(JacksonException e) {
        String what =
                e.getOriginalMessage().replaceFirst("(?s) \\((start marker at|[^()]*`).*", "");
        TokenStreamLocation at = e.getLocation();
        String where =
                at == null ? "" : " at line " + at.getLineNr() + ", column " + at.getColumnNr();
        return "This is not JSON" + where + ": " + what + ".";
    }

    private static boolean isJson(@Nullable String type) {
        return type != null
                && type.toLowerCase(Locale.ROOT)
                        .matches("application/(merge-patch\\+)?json\\s*(;.*)?");
    }

    private void deploy(AppExchange x) throws IOException {
        JsonNode asked = json(x);
        command(x, List.of("deploy", text(asked, "at", ""), text(asked, "app", null)));
    }

    private void undeploy(AppExchange x) throws IOException {
        command(x, List.of("undeploy", text(json(x), "at", null)));
    }

    private static void logLevel(AppExchange x) throws IOException {
        JsonNode asked = json(x);
        String level = text(asked, "level", null);
        String logger = text(asked, "logger", "dev.serval");
        if (!LogLevels.set(logger, level)) {
            throw new HttpException(
                    422,
                    "level takes "
                            + String.join(", ", LogLevels.names())
                            + ", not \""
                            + level
                            + "\".");
        }
        answer(x, Map.of("lines", List.of(logger + " logs from " + level + " on.")));
    }

    /// Returns a text of an object.
    ///
    /// @param usual the text if there is none, also if there is no content; null if it must be there
    private static String text(JsonNode object, String name, @Nullable String usual) {
        @Nullable JsonNode value = object.get(name);
        if (value == null) {
            if (usual == null || !(object.isObject() || object.isMissingNode())) {
                throw new HttpException(422, "Send an object with the text " + name + ".");
            }
            return usual;
        }
        if (!value.isString()) {
            throw new HttpException(422, name + " takes a text in quotes.");
        }
        String text = value.stringValue();
        if (text.indexOf('\0') >= 0) { // no path and no name of this system has it
            throw new HttpException(400, "The text " + name + " has a character NUL.");
        }
        return text;
    }

    private void command(AppExchange x, List<String> words) throws IOException {
        List<String> lines = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        int exitCode =
                commands.carryOut(
                        words,
                        new Commands.Answer() {
                            @Override
                            public void line(String text) {
                                lines.add(text);
                            }

                            @Override
                            public void problem(String text) {
                                problems.add(text);
                            }
                        });
        if (exitCode != ExitCodes.OK) {
            answer(x.status(exitCode == ExitCodes.USAGE ? 422 : 409), Map.of("mistakes", problems));
            return;
        }
        Map<String, List<String>> lists = new LinkedHashMap<>();
        lists.put("lines", lines);
        if (!problems.isEmpty()) {
            lists.put("warnings", problems);
        }
        answer(x, lists);
    }

    /// Answers as every other refusal, for programs.
    private static void refused(HttpException e, AppExchange x) {
        answer(x.status(e.status()), Map.of("mistakes", List.of(e.getMessage())));
    }

    private static void answer(AppExchange x, Map<String, List<String>> lists) {
        ObjectNode object = JSON.createObjectNode();
        lists.forEach((name, lines) -> {
            ArrayNode array = object.putArray(name);
            lines.forEach(array::add);
        });
        x.json(JSON.writeValueAsString(object));
    }

    private static String tag(ObjectNode config) {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(config.toString().getBytes(StandardCharsets.UTF_8));
            return "\"" + HexFormat.of().formatHex(hash, 0, 12) + "\"";
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every JDK has SHA-256", e);
        }
    }
}
