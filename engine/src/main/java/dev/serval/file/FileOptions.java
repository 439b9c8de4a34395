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
/// @param staleMaxNanos age up to which an entry still answers while the disk is slow to be looked
///     at, or has no room for looks; 0: never past `revalidateNanos`
/// @param cacheMaxBytes contents kept in memory with their fields and paths; a cache takes a quarter
///     of the heap at most
/// @param entriesMax paths known to lead to something; an eighth as many that lead nowhere
/// @param smallMaxBytes length up to which a content is kept in memory; longer ones stay open files
/// @param openFilesMax files kept open between requests
/// @param openIdleNanos how long a file that nobody asks for is kept open; it may have been deleted,
///     and its disk space is not free before. The two ages above count where they are longer
public record FileOptions(
        List<String> indexNames,
        String textCharset,
        boolean noSniff,
        boolean linksOutOfRoot,
        long revalidateNanos,
        long staleMaxNanos,
        long cacheMaxBytes,
        int entriesMax,
        int smallMaxBytes,
        int openFilesMax,
        long openIdleNanos) {
    /// `index.html`, UTF-8, no sniffing, no links out, 1 s, 10 s where the disk is slow, 64 MiB,
    /// 16,384 paths, 32 KiB each, 384 open files (fewer than the descriptors a server keeps back
    /// from its connections), for 30 s.
    public static final FileOptions DEFAULT =
            new FileOptions(
                    List.of("index.html"),
                    "utf-8",
                    true,
                    false,
                    SECONDS.toNanos(1),
                    SECONDS.toNanos(10),
                    64L << 20,
                    16_384,
                    32 << 10,
                    384,
                    SECONDS.toNanos(30));

    /// Checks the values.
    public FileOptions {
        indexNames = List.copyOf(indexNames);
        for (String name : indexNames) {
            check(
                    !name.isEmpty() && name.indexOf('/') < 0 && !name.equals(".."),
                    "An index name is the name of a file, without a folder: \"" + name + "\"");
        }
        check(revalidateNanos >= 0, "revalidateNanos is 0 or more: " + revalidateNanos);
        check(staleMaxNanos >= 0, "staleMaxNanos is 0 or more: " + staleMaxNanos);
        check(openIdleNanos > 0, "openIdleNanos is more than 0: " + openIdleNanos);
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
                staleMaxNanos,
                cacheMaxBytes,
                entriesMax,
                smallMaxBytes,
                openFilesMax,
                openIdleNanos);
    }

    /// With another charset for text; empty for none.
    public FileOptions withTextCharset(String other) {
        return new FileOptions(
                indexNames,
                other,
                noSniff,
                linksOutOfRoot,
                revalidateNanos,
                staleMaxNanos,
                cacheMaxBytes,
                entriesMax,
                smallMaxBytes,
                openFilesMax,
                openIdleNanos);
    }

    /// With or without `nosniff`.
    public FileOptions withNoSniff(boolean other) {
        return new FileOptions(
                indexNames,
                textCharset,
                other,
                linksOutOfRoot,
                revalidateNanos,
                staleMaxNanos,
                cacheMaxBytes,
                entriesMax,
                smallMaxBytes,
                openFilesMax,
                openIdleNanos);
    }

    /// With or without links out of the root.
    public FileOptions withLinksOutOfRoot(boolean other) {
        return new FileOptions(
                indexNames,
                textCharset,
                noSniff,
                other,
                revalidateNanos,
                staleMaxNanos,
                cacheMaxBytes,
                entriesMax,
                smallMaxBytes,
                openFilesMax,
                openIdleNanos);
    }

    /// With another age for a new look; 0 looks at every request.
    public FileOptions withRevalidateNanos(long other) {
        return new FileOptions(
                indexNames,
                textCharset,
                noSniff,
                linksOutOfRoot,
                other,
                staleMaxNanos,
                cacheMaxBytes,
                entriesMax,
                smallMaxBytes,
                openFilesMax,
                openIdleNanos);
    }

    /// With another age up to which entries stand in for a disk that is slow; 0 for none.
    public FileOptions withStaleMaxNanos(long other) {
        return new FileOptions(
                indexNames,
                textCharset,
                noSniff,
                linksOutOfRoot,
                revalidateNanos,
                other,
                cacheMaxBytes,
                entriesMax,
                smallMaxBytes,
                openFilesMax,
                openIdleNanos);
    }

    /// With another time for which a file that nobody asks for is kept open.
    public FileOptions withOpenIdleNanos(long other) {
        return new FileOptions(
                indexNames,
                textCharset,
                noSniff,
                linksOutOfRoot,
                revalidateNanos,
                staleMaxNanos,
                cacheMaxBytes,
                entriesMax,
                smallMaxBytes,
                openFilesMax,
                other);
    }

    /// With other bounds of memory.
    public FileOptions withCache(long cacheMaxBytes, int entriesMax, int smallMaxBytes) {
        return new FileOptions(
                indexNames,
                textCharset,
                noSniff,
                linksOutOfRoot,
                revalidateNanos,
                staleMaxNanos,
                cacheMaxBytes,
                entriesMax,
                smallMaxBytes,
                openFilesMax,
                openIdleNanos);
    }

    /// With another number of open files.
    public FileOptions withOpenFilesMax(int other) {
        return new FileOptions(
                indexNames,
                textCharset,
                noSniff,
                linksOutOfRoot,
                revalidateNanos,
                staleMaxNanos,
                cacheMaxBytes,
                entriesMax,
                smallMaxBytes,
                other,
                openIdleNanos);
    }

    private static void check(boolean right, String what) {
        if (!right) {
            throw new IllegalArgumentException(what);
        }
    }
}
