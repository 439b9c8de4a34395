package dev.serval.settings;

import dev.serval.coding.Compression;
import dev.serval.coding.MediaTypeSet;
import dev.serval.config.Values;
import dev.serval.file.CacheRule;
import dev.serval.file.FileOptions;
import dev.serval.file.Links;
import dev.serval.gateway.neighbour.Neighbour;
import dev.serval.http.PathPatterns;
import dev.serval.route.RouteTable;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Reads the mounts and hosts of a file. Used by one thread.
final class MountReader {
    private static final List<String> KINDS =
            List.of("folder", "app", "proxy", "fastcgi", "scgi", "redirect");

    /// The types that IANA has registered, and two that are common without it (RFC 6838 §4.2).
    private static final Pattern MEDIA_TYPE =
            Pattern.compile(
                    "(?:application|audio|chemical|font|image|message|model|multipart|text|video|x-[^/]+)"
                            + "/(?:\\*|[^/*]+)");

    /// The keys of files that an application decides itself, or that would be unsafe for it.
    private static final List<String> FOLDER_KEYS = List.of("index", "links", "listing");

    /// The keys of hosts that hold for answers which no mount gives, too.
    private static final List<String> OWN_OF_HOSTS = List.of("fields", "error-pages", "log");

    private static final Set<String> UPSTREAM_KINDS = Set.of("proxy", "fastcgi", "scgi");

    private final Path folder;
    private final Problems problems;
    private final boolean readable; // without a mistake so far, which may be why a key is missing
    private final List<Mount> mounts = new ArrayList<>();
    private final List<NeighbourMount> neighbours = new ArrayList<>();
    private final Map<Place, MountRules> rules = new LinkedHashMap<>();
    private final Set<Place> taken = new HashSet<>();
    private final Map<Values, Place> redirects = new LinkedHashMap<>();
    private final Map<Place, FileOptions> appFiles = new LinkedHashMap<>();

    /// The tables that hold for all mounts, unless a mount has its own.
    private record Usual(Values files, Values compression) {}

    /// Creates a reader.
    ///
    /// @param folder what relative paths are relative to
    MountReader(Path folder, Problems problems) {
        this.folder = folder;
        this.problems = problems;
        this.readable = problems.none();
    }

    MountChoice read(Values root) {
        Usual usual = new Usual(root.table("files"), root.table("compression"));
        for (Values mount : root.tables("mount")) {
            read(mount, RouteTable.DEFAULT_HOST, null, usual);
        }
        for (Values host : root.tables("host")) {
            for (String name : host.texts("name")) {
                String lower = name.toLowerCase(Locale.ROOT).replaceFirst("\\.$", "");
                try {
                    Place.checked(lower, "/");
                } catch (IllegalArgumentException e) {
                    problems.at(host.where("name")).usage(e.getMessage() + ".");
                    continue;
                }
                for (Values mount : host.tables("mount")) {
                    read(mount, lower, host, usual);
                }
                rest(host, lower);
            }
        }
        Set<String> states = new HashSet<>();
        for (String key : List.of("ready-path", "health-path")) {
            @Nullable String path = root.table("server").textOrNull(key);
            if (path != null) {
                states.add(path);
            }
        }
        redirects.forEach((mount, place) -> checkRedirects(mount, place, states));
        Compression everywhere = compression(usual.compression);
        MountRules others =
                MountRules.of(draft ->
                        draft.compression =
                                everywhere.covers(Compression.Scope.ALL) ? everywhere : null);
        FileOptions files = options(usual.files, PathPatterns.NONE, everywhere);
        return new MountChoice(
                mounts,
                neighbours,
                rules,
                others,
                new MountChoice.AppFiles(appFiles, files),
                files);
    }

    /// Adds what holds for everything that no mount of a host answers: its redirect, or else 404 with
    /// the fields and error pages of the host, in its log.
    private void rest(Values host, String name) {
        Place root = new Place(name, "/");
        boolean redirects = host.has("redirect");
        boolean hasOwn = OWN_OF_HOSTS.stream().anyMatch(host::has);
        if ((redirects || (hasOwn && !host.tables("mount").isEmpty())) && taken.add(root)) {
            rules.put(root, new RulesReader(folder, problems).ofHost(host));
        } else if (redirects || host.tables("mount").isEmpty()) {
            problems.at(redirects ? host.where("redirect") : host.where())
                    .usage(
                            redirects
                                    ? "A mount at / answers all requests of this host, so nothing is left"
                                            + " to redirect: remove one of them."
                                    : "This host serves nothing: add a [[host.mount]] or a redirect.");
        }
    }

    private void read(Values mount, String host, @Nullable Values parent, Usual usual) {
        List<String> kinds = KINDS.stream().filter(mount::has).toList();
        if (kinds.isEmpty() && !readable) {
            return;
        }
        if (kinds.size() != 1) {
            problems.at(mount.where())
                    .usage(
                            kinds.isEmpty()
                                    ? "This mount serves nothing: it needs one of the keys "
                                            + String.join(", ", KINDS)
                                            + "."
                                    : "This mount has "
                                            + String.join(" and ", kinds)
                                            + ": it takes one of them. Write a [[mount]] for each.");
            return;
        }
        Complaints atPrefix = problems.at(mount.where("at"));
        @Nullable String prefix = Mount.prefix(mount.text("at"), mount.text("at"), atPrefix);
        if (prefix == null) {
            return;
        }
        Place place = new Place(host, prefix);
        if (!taken.add(place)) {
            atPrefix.usage("Another mount is at " + place + ": give one of them another path.");
            return;
        }
        String kind = kinds.getFirst();
        Compression compression = compression(mount, usual);
        MountRules own = new RulesReader(folder, problems).read(mount, parent, compression);
        if (!own.equals(MountRules.NONE)) {
            rules.put(place, own);
        }
        checkTryFiles(mount, kind);
        checkEffect(mount, kind);
        checkIntercept(mount, kind, own);
        switch (kind) {
            case "redirect" -> redirects.put(mount, place);
            case "folder", "app" -> path(mount, kind, place, files(mount, usual, compression));
            default -> neighbour(mount, kind, place, files(mount, usual, compression));
        }
    }

    private void checkTryFiles(Values mount, String kind) {
        boolean files =
                kind.equals("folder")
                        || (kind.equals("fastcgi") && mount.table("upstream").has("root"));
        if (mount.has("try-files") && !files) {
            problems.at(mount.where("try-files"))
                    .usage("try-files needs a folder, or fastcgi with upstream.root.");
        }
    }

    /// Refuses what has no effect on such a mount.
    private void checkEffect(Values mount, String kind) {
        if (mount.has("status") && !kind.equals("redirect")) {
            problems.at(mount.where("status"))
                    .usage("status has no effect on " + kind + ": it is for redirect.");
        }
        boolean files = Set.of("folder", "app", "fastcgi").contains(kind);
        for (Values each : mount.tables("files")) {
            if (!files) {
                problems.at(each.where())
                        .usage(
                                "files has no effect on "
                                        + kind
                                        + ": it is for folder, app and fastcgi.");
            } else if (kind.equals("app")) {
                checkFilesOfApplication(each);
            }
        }
        boolean upstream = UPSTREAM_KINDS.contains(kind);
        for (Values each : mount.tables("upstream")) {
            if (!upstream) {
                problems.at(each.where())
                        .usage(
                                "upstream has no effect on "
                                        + kind
                                        + ": it is for proxy, fastcgi and scgi.");
            }
        }
    }

    private void checkFilesOfApplication(Values files) {
        for (String key : FOLDER_KEYS) {
            if (files.has(key)) {
                problems.at(files.where(key))
                        .usage(key + " has no effect on app: it is for folder and fastcgi.");
            }
        }
    }

    private void checkIntercept(Values mount, String kind, MountRules own) {
        if (own.intercepts() && (!UPSTREAM_KINDS.contains(kind) || own.errors().isEmpty())) {
            problems.at(mount.where("intercept"))
                    .usage(
                            "intercept needs proxy, fastcgi or scgi, and error-pages for the answers"
                                    + " that it replaces.");
        }
    }

    /// Refuses redirects to a path that the same mount would redirect again, or that nothing answers.
    ///
    /// @param states paths that the server answers before all mounts
    private void checkRedirects(Values mount, Place place, Set<String> states) {
        String to = mount.has("redirect") ? mount.text("redirect") : "";
        if (!to.startsWith("/")) {
            return;
        }
        String path = to.split("[?#]", 2)[0].replaceFirst("/\\*$", "/");
        if (states.contains(path)) {
            return;
        }
        Optional<Place> answers =
                taken.stream()
                        .filter(each -> each.host().equals(place.host()))
                        .filter(each ->
                                each.isRoot() || (path + "/").startsWith(each.prefix() + "/"))
                        .max(Comparator.comparingInt(each -> each.prefix().length()));
        if (answers.isEmpty() || answers.get().equals(place)) {
            problems.at(mount.where("redirect"))
                    .usage(
                            (answers.isEmpty()
                                            ? "This redirect leads to "
                                                    + path
                                                    + ", where nothing is served"
                                            : "This redirect leads to its own mount, so that clients never"
                                                    + " arrive")
                                    + ": add a mount for "
                                    + path
                                    + ", or redirect elsewhere.");
        }
    }

    private void path(Values mount, String kind, Place place, FileOptions options) {
        Complaints at = problems.at(mount.where(kind));
        String text = mount.text(kind);
        @Nullable Mount read = Mount.of(place, folder.resolve(text).toString(), text, options, at);
        if (read == null) {
            return;
        }
        if (kind.equals("app") != read.application()) {
            at.environment(
                    kind.equals("app")
                            ? read.path()
                                    + " is no application: it is neither a WAR nor has WEB-INF."
                            : read.path() + " is an application: write app in place of folder.");
            return;
        }
        mounts.add(read);
        if (read.application()) {
            appFiles.put(place, options);
        }
    }

    private void neighbour(Values mount, String kind, Place place, FileOptions options) {
        @Nullable Neighbour read = new NeighbourReader(mount, kind, folder, problems).read(options);
        if (read != null) {
            neighbours.add(new NeighbourMount(place, read));
        }
    }

    private FileOptions files(Values mount, Usual usual, Compression compression) {
        return options(mount.table("files").over(usual.files), denied(mount), compression);
    }

    private FileOptions options(Values files, PathPatterns denied, Compression compression) {
        String charset = files.text("charset");
        boolean none = charset.equals("none");
        if (!none && !isKnown(charset)) {
            problems.at(files.where("charset"))
                    .usage("charset takes a charset such as \"utf-8\", not \"" + charset + "\".");
            return FileOptions.DEFAULT;
        }
        return FileOptions.DEFAULT.with(draft -> {
            draft.textCharset = none ? "" : charset;
            draft.indexNames = files.texts("index");
            draft.cacheMaxBytes = files.number("cache-size");
            draft.smallMaxBytes = (int) Math.min(draft.smallMaxBytes, draft.cacheMaxBytes / 4);
            draft.revalidateNanos = files.time("cache-age").toNanos();
            draft.openFilesMax = (int) files.number("open-files");
            draft.links = Links.valueOf(files.text("links").toUpperCase(Locale.ROOT));
            draft.listing = files.flag("listing");
            draft.denied = denied;
            draft.types = types(files);
            draft.unknownType = files.text("default-type");
            draft.cacheRules = cacheRules(files);
            draft.compression = compression;
            if (!files.flag("cache")) {
                draft.smallMaxBytes = 0;
                draft.revalidateNanos = 0;
                draft.staleMaxNanos = 0;
            }
        });
    }

    private Compression compression(Values mount, Usual usual) {
        return compression(mount.table("compression").over(usual.compression));
    }

    private Compression compression(Values own) {
        String mode = own.text("mode").toUpperCase(Locale.ROOT);
        return Compression.DEFAULT.with(draft -> {
            draft.scope = Compression.Scope.valueOf(mode);
            draft.minBytes = (int) own.number("min-size");
            draft.fileMaxBytes = (int) own.number("max-file");
            draft.level = (int) own.number("level");
            draft.answerLevel = (int) own.number("answer-level");
            if (own.has("types")) {
                try {
                    draft.types = MediaTypeSet.of(own.texts("types"));
                } catch (IllegalArgumentException e) {
                    problems.at(own.where("types")).usage(e.getMessage() + ".");
                }
            }
        });
    }

    /// Returns the denied paths of a mount, which no list shows.
    private static PathPatterns denied(Values mount) {
        try {
            return PathPatterns.of(mount.texts("deny"));
        } catch (IllegalArgumentException e) {
            return PathPatterns.NONE; // reported with the rules
        }
    }

    private static Map<String, String> types(Values files) {
        Map<String, String> types = new LinkedHashMap<>();
        files.names("types")
                .forEach((extension, type) -> {
                    String lower = extension.toLowerCase(Locale.ROOT);
                    types.put(lower.startsWith(".") ? lower.substring(1) : lower, type);
                });
        return types;
    }

    /// A pattern is a media type, such as `image/*`, or one of paths. A path without its first slash is
    /// refused, and not taken for a type that no file has.
    private List<CacheRule> cacheRules(Values files) {
        List<CacheRule> rules = new ArrayList<>();
        files.names("cache-control")
                .forEach((pattern, value) -> {
                    try {
                        rules.add(
                                MEDIA_TYPE.matcher(pattern).matches()
                                        ? CacheRule.ofTypes(List.of(pattern), value)
                                        : CacheRule.ofPaths(List.of(pattern), value));
                    } catch (IllegalArgumentException e) {
                        problems.at(files.where("cache-control")).usage(e.getMessage() + ".");
                    }
                });
        return rules;
    }

    private static boolean isKnown(String charset) {
        try {
            return Charset.isSupported(charset);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
