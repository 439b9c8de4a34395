package dev.serval.settings;

import dev.serval.config.Values;
import dev.serval.file.FileOptions;
import dev.serval.route.RouteTable;
import java.nio.charset.Charset;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Reads the mounts and hosts of a file. Used by one thread.
final class MountReader {
    private static final List<String> KINDS =
            List.of("folder", "app", "proxy", "fastcgi", "scgi", "redirect");

    private final Path folder;
    private final Problems problems;
    private final List<Mount> mounts = new ArrayList<>();
    private final List<NeighbourMount> neighbours = new ArrayList<>();
    private final Set<Place> taken = new HashSet<>();

    /// Creates a reader.
    ///
    /// @param folder what relative paths are relative to
    MountReader(Path folder, Problems problems) {
        this.folder = folder;
        this.problems = problems;
    }

    MountChoice read(Values root) {
        Values files = root.table("files");
        for (Values mount : root.tables("mount")) {
            read(mount, RouteTable.DEFAULT_HOST, files);
        }
        for (Values host : root.tables("host")) {
            for (String name : host.texts("name")) {
                for (Values mount : host.tables("mount")) {
                    read(mount, name.toLowerCase(Locale.ROOT), files);
                }
            }
        }
        return new MountChoice(mounts, neighbours);
    }

    private void read(Values mount, String host, Values files) {
        List<String> kinds = KINDS.stream().filter(mount::has).toList();
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
        switch (kind) {
            case "folder", "app" -> path(mount, kind, place, files);
            default -> neighbour(mount, kind, place);
        }
    }

    private void path(Values mount, String kind, Place place, Values files) {
        Complaints at = problems.at(mount.where(kind));
        String text = mount.text(kind);
        FileOptions options = options(mount.table("files").over(files));
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
    }

    private void neighbour(Values mount, String kind, Place place) {
        String address = NeighbourAddress.of(mount, kind, folder);
        @Nullable NeighbourMount read =
                NeighbourMount.read(place, "/=" + address, problems.at(mount.where(kind)));
        if (read != null) {
            neighbours.add(read);
        }
    }

    private FileOptions options(Values files) {
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
            draft.revalidateNanos = files.time("cache-age").toNanos();
            draft.openFilesMax = (int) files.number("open-files");
        });
    }

    private static boolean isKnown(String charset) {
        try {
            return Charset.isSupported(charset);
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
