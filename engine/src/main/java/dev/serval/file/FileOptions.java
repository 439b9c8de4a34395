package dev.serval.file;

import static java.util.concurrent.TimeUnit.SECONDS;

import java.util.List;

/// How a [FileHandler] serves and what it may keep. Immutable; change one with the `with…` methods.
///
/// @param indexNames files that answer for their folder, the first that exists wins
/// @param textCharset charset said of `text/…` types; empty to say none
/// @param noSniff whether browsers are told to believe the Content-Type (the Fetch standard's
///     `X-Content-Type-Options: nosniff`)
/// @param linksOutOfRoot whether symbolic links may lead out of the root
/// @param revalidateNanos age past which nothing is served without a new look at the disk; past
///     half of it one request looks while the others are still served
/// @param cacheMaxBytes contents kept in memory with what describes them
/// @param entriesMax paths known to lead to something; an eighth as many that lead nowhere
/// @param smallMaxBytes length up to which a content is kept in memory; longer ones stay open files
/// @param openFilesMax files kept open between requests
public record FileOptions(
        List<String> indexNames,
        String textCharset,
        boolean noSniff,
        boolean linksOutOfRoot,
        long revalidateNanos,
        long cacheMaxBytes,
        int entriesMax,
        int smallMaxBytes,
        int openFilesMax) {
    /// `index.html`, UTF-8, no sniffing, no links out, 1 s, 64 MiB, 16,384 paths, 32 KiB each, 384
    /// open files: fewer than the descriptors a server keeps back from its connections.
    public static final FileOptions DEFAULT =
            new FileOptions(
                    List.of("index.html"),
                    "utf-8",
                    true,
                    false,
                    SECONDS.toNanos(1),
                    64L << 20,
                    16_384,
                    32 << 10,
                    384);

    /// Checks the values.
    public FileOptions {
        indexNames = List.copyOf(indexNames);
        for (String name : indexNames) {
            check(
                    !name.isEmpty() && name.indexOf('/') < 0 && !name.equals(".."),
                    "An index name is the name of a file, without a folder: \"" + name + "\"");
        }
        check(revalidateNanos >= 0, "revalidateNanos is 0 or more: " + revalidateNanos);
        check(smallMaxBytes >= 0, "smallMaxBytes is 0 or more: " + smallMaxBytes);
        check(
                cacheMaxBytes >= 64 << 10 && cacheMaxBytes / 4 >= smallMaxBytes,
                "cacheMaxBytes is 64 KiB or more, and four times smallMaxBytes or more: "
                        + cacheMaxBytes);
        check(entriesMax >= 8, "entriesMax is 8 or more: " + entriesMax);
        check(openFilesMax >= 1, "openFilesMax is 1 or more: " + openFilesMax);
    }

    /// With other index files; none: folders answer 404.
    public FileOptions withIndexNames(List<String> other) {
        return new FileOptions(
                other,
                textCharset,
                noSniff,
                linksOutOfRoot,
                revalidateNanos,
                cacheMaxBytes,
                entriesMax,
                smallMaxBytes,
                openFilesMax);
    }

    /// With another charset for text; empty for none.
    public FileOptions withTextCharset(String other) {
        return new FileOptions(
                indexNames,
                other,
                noSniff,
                linksOutOfRoot,
                revalidateNanos,
                cacheMaxBytes,
                entriesMax,
                smallMaxBytes,
                openFilesMax);
    }

    /// With or without `nosniff`.
    public FileOptions withNoSniff(boolean other) {
        return new FileOptions(
                indexNames,
                textCharset,
                other,
                linksOutOfRoot,
                revalidateNanos,
                cacheMaxBytes,
                entriesMax,
                smallMaxBytes,
                openFilesMax);
    }

    /// With or without links out of the root.
    public FileOptions withLinksOutOfRoot(boolean other) {
        return new FileOptions(
                indexNames,
                textCharset,
                noSniff,
                other,
                revalidateNanos,
                cacheMaxBytes,
                entriesMax,
                smallMaxBytes,
                openFilesMax);
    }

    /// With another age for a new look; 0 looks at every request.
    public FileOptions withRevalidateNanos(long other) {
        return new FileOptions(
                indexNames,
                textCharset,
                noSniff,
                linksOutOfRoot,
                other,
                cacheMaxBytes,
                entriesMax,
                smallMaxBytes,
                openFilesMax);
    }

    /// With other bounds of memory.
    public FileOptions withCache(long cacheMaxBytes, int entriesMax, int smallMaxBytes) {
        return new FileOptions(
                indexNames,
                textCharset,
                noSniff,
                linksOutOfRoot,
                revalidateNanos,
                cacheMaxBytes,
                entriesMax,
                smallMaxBytes,
                openFilesMax);
    }

    /// With another number of open files.
    public FileOptions withOpenFilesMax(int other) {
        return new FileOptions(
                indexNames,
                textCharset,
                noSniff,
                linksOutOfRoot,
                revalidateNanos,
                cacheMaxBytes,
                entriesMax,
                smallMaxBytes,
                other);
    }

    private static void check(boolean right, String what) {
        if (!right) {
            throw new IllegalArgumentException(what);
        }
    }
}
