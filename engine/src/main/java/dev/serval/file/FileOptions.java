package dev.serval.file;

import static java.util.concurrent.TimeUnit.SECONDS;

import dev.serval.codec.ByteRules;
import dev.serval.coding.Compression;
import dev.serval.http.PathPatterns;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/// Configures how a [FileHandler] serves files and what it may cache. Immutable; [#with]
/// returns a changed copy.
///
/// @param indexNames names of index files; the first that exists answers for its folder. Without any, folders
///     answer 404
/// @param textCharset charset of `text/…` types in Content-Type; empty for none
/// @param noSniff whether to send `X-Content-Type-Options: nosniff` (the Fetch standard), so that
///     browsers do not guess the type
/// @param links which symbolic links below the root are followed
/// @param types media types by the extension of a file's name in lower case, before those that the
///     server knows, such as `md` for `text/plain`
/// @param unknownType the media type of files whose extension is unknown
/// @param cacheRules the Cache-Control of files; the first rule that matches a file decides
/// @param listing whether a folder without an index file answers with a list of its files
/// @param denied files and folders that the list leaves out, and that answer for no folder as its
///     index; see [PathPatterns]. The list leaves out names that are never served, too
/// @param compression which files are also sent compressed; the scope `ALL` is as `FILES` here
/// @param revalidateNanos age past which an entry is served only after a new look at the disk; past
///     half of it one request looks while the others are still served. With 0 here and in
///     `staleMaxNanos`, each request looks at the disk
/// @param staleMaxNanos age up to which an entry still answers while the disk is slow or has no
///     room for looks; 0 for no longer than `revalidateNanos`
/// @param cacheMaxBytes bytes of contents kept in memory, with their fields and paths; a cache
///     takes a quarter of the heap at most
/// @param entriesMax cached paths that lead to a file or folder; an eighth as many are cached that
///     lead nowhere
/// @param smallMaxBytes length up to which content is kept in memory; longer files are kept open
/// @param openFilesMax files kept open between requests
/// @param openIdleNanos how long an unused file is kept open, or the longer of the two ages above
///     if that is longer; the disk space of a deleted file is free only after that
public record FileOptions(
        List<String> indexNames,
        String textCharset,
        boolean noSniff,
        Links links,
        Map<String, String> types,
        String unknownType,
        List<CacheRule> cacheRules,
        boolean listing,
        PathPatterns denied,
        Compression compression,
        long revalidateNanos,
        long staleMaxNanos,
        long cacheMaxBytes,
        int entriesMax,
        int smallMaxBytes,
        int openFilesMax,
        long openIdleNanos) {
    /// `index.html`, UTF-8, `nosniff`, links inside the root, no list of files, 1 s, 10 s if the disk is slow, 64 MiB, 16,384
    /// paths, 32 KiB each, 384 open files, 30 s. A server reserves more file descriptors than these
    /// 384 for uses other than connections.
    public static final FileOptions DEFAULT = new Draft().build();

    /// Checks the values.
    public FileOptions {
        indexNames = List.copyOf(indexNames);
        for (String name : indexNames) {
            check(
                    !name.isEmpty() && name.indexOf('/') < 0 && !name.equals(".."),
                    "An index name must be a file name without a folder, but is \"" + name + "\"");
        }
        check(
                textCharset.chars().allMatch(ByteRules::token),
                "textCharset must be the name of a charset, such as utf-8, or empty for none, but"
                        + " is \""
                        + textCharset
                        + "\"");
        types = Map.copyOf(types);
        cacheRules = List.copyOf(cacheRules);
        for (Map.Entry<String, String> type : types.entrySet()) {
            String extension = type.getKey();
            check(
                    extension.equals(extension.toLowerCase(Locale.ROOT))
                            && !extension.isEmpty()
                            && extension.indexOf('.') < 0
                            && extension.indexOf('/') < 0,
                    "An extension of a file must be in lower case and without its dot, such as md,"
                            + " but is \""
                            + extension
                            + "\"");
            checkType(type.getValue());
        }
        checkType(unknownType);
        check(revalidateNanos >= 0, "revalidateNanos must be 0 or more, but is " + revalidateNanos);
        check(staleMaxNanos >= 0, "staleMaxNanos must be 0 or more, but is " + staleMaxNanos);
        check(openIdleNanos > 0, "openIdleNanos must be more than 0, but is " + openIdleNanos);
        check(smallMaxBytes >= 0, "smallMaxBytes must be 0 or more, but is " + smallMaxBytes);
        check(
                cacheMaxBytes >= 64 << 10 && cacheMaxBytes / 4 >= smallMaxBytes,
                "cacheMaxBytes must be at least 64 KiB and four times smallMaxBytes, but is "
                        + cacheMaxBytes);
        check(entriesMax >= 8, "entriesMax must be 8 or more, but is " + entriesMax);
        check(openFilesMax >= 1, "openFilesMax must be 1 or more, but is " + openFilesMax);
    }

    /// Returns a copy in which `change` has set some options.
    public FileOptions with(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.indexNames = indexNames;
        draft.textCharset = textCharset;
        draft.noSniff = noSniff;
        draft.links = links;
        draft.types = types;
        draft.unknownType = unknownType;
        draft.cacheRules = cacheRules;
        draft.listing = listing;
        draft.denied = denied;
        draft.compression = compression;
        draft.revalidateNanos = revalidateNanos;
        draft.staleMaxNanos = staleMaxNanos;
        draft.cacheMaxBytes = cacheMaxBytes;
        draft.entriesMax = entriesMax;
        draft.smallMaxBytes = smallMaxBytes;
        draft.openFilesMax = openFilesMax;
        draft.openIdleNanos = openIdleNanos;
        change.accept(draft);
        return draft.build();
    }

    /// These options while they are chosen, with the defaults at first. Each is a field, so that wherever a
    /// value is set, its name stands beside it. Used by one thread, within [#with].
    public static final class Draft {
        public List<String> indexNames = List.of("index.html");
        public String textCharset = "utf-8";
        public boolean noSniff = true;
        public Links links = Links.INSIDE;
        public Map<String, String> types = Map.of();
        public String unknownType = MediaTypes.UNKNOWN;
        public List<CacheRule> cacheRules = List.of();
        public boolean listing = false;
        public PathPatterns denied = PathPatterns.NONE;
        public Compression compression = Compression.DEFAULT;
        public long revalidateNanos = SECONDS.toNanos(1);
        public long staleMaxNanos = SECONDS.toNanos(10);
        public long cacheMaxBytes = 64L << 20;
        public int entriesMax = 16_384;
        public int smallMaxBytes = 32 << 10;
        public int openFilesMax = 384;
        public long openIdleNanos = SECONDS.toNanos(30);

        private Draft() {}

        private FileOptions build() {
            return new FileOptions(
                    indexNames,
                    textCharset,
                    noSniff,
                    links,
                    types,
                    unknownType,
                    cacheRules,
                    listing,
                    denied,
                    compression,
                    revalidateNanos,
                    staleMaxNanos,
                    cacheMaxBytes,
                    entriesMax,
                    smallMaxBytes,
                    openFilesMax,
                    openIdleNanos);
        }
    }

    /// Returns whether a text is a media type, perhaps with parameters, such as
    /// `text/html; charset=utf-8`.
    public static boolean isType(String text) {
        return text.matches("[!#$%&'*+.^_`|~0-9A-Za-z-]+/[!#$%&'*+.^_`|~0-9A-Za-z-]+(; ?[ -~]+)?");
    }

    private static void checkType(String type) {
        check(
                isType(type),
                "A media type must be such as text/html or text/html; charset=utf-8, but is \""
                        + type
                        + "\"");
    }

    private static void check(boolean right, String what) {
        if (!right) {
            throw new IllegalArgumentException(what);
        }
    }
}
