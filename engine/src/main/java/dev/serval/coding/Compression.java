package dev.serval.coding;

import java.util.List;
import java.util.function.Consumer;

/// What a server compresses. Immutable; [#with] returns a changed copy.
///
/// @param scope which responses
/// @param types the media types that are worth it; precompressed files may have any type
/// @param minBytes the least length of content that is worth it
/// @param fileMaxBytes the length of a file up to which it is compressed in the background and kept
///     in the memory of the file cache
/// @param level for files, which are compressed once: from 1 (fast) to 9 (short)
/// @param answerLevel for answers, which are compressed each time
public record Compression(
        Scope scope,
        MediaTypeSet types,
        int minBytes,
        int fileMaxBytes,
        int level,
        int answerLevel) {
    private static final MediaTypeSet USUAL_TYPES =
            MediaTypeSet.of(
                    List.of(
                            "text/*",
                            "+json",
                            "+xml",
                            "application/json",
                            "application/javascript",
                            "application/xml",
                            "application/wasm",
                            "application/x-javascript",
                            "application/x-ndjson",
                            "application/json5",
                            "application/jsonl",
                            "application/xml-dtd",
                            "application/yaml",
                            "application/toml",
                            "application/sql",
                            "application/rtf",
                            "application/x-sh",
                            "application/x-tex",
                            "application/postscript",
                            "application/vnd.ms-fontobject",
                            "font/ttf",
                            "font/otf",
                            "font/collection",
                            "image/bmp",
                            "image/vnd.microsoft.icon",
                            "image/x-icon",
                            "image/x-portable-pixmap",
                            "message/rfc822",
                            "model/obj",
                            "model/mtl",
                            "model/vrml"));

    /// Which responses are compressed. Each includes those before it.
    public enum Scope {
        /// None.
        OFF,
        /// Files that have a compressed file beside them.
        PRECOMPRESSED,
        /// Files in the cache, which are compressed once.
        FILES,
        /// Also what applications and other servers answer, each time.
        ALL
    }

    /// Files: text, JSON, XML, JavaScript, WebAssembly, uncompressed fonts and images; from 1 KiB to
    /// 4 MiB; level 6. Answers have level 2, which takes a quarter of the time and makes a fifth more.
    public static final Compression DEFAULT = new Draft().build();

    /// No compression.
    public static final Compression OFF = DEFAULT.with(draft -> draft.scope = Scope.OFF);

    private static final int LEVEL_MAX = 9;

    /// The longest file that may be compressed in memory.
    private static final int FILE_MOST_BYTES = 64 << 20;

    /// Checks the numbers.
    public Compression {
        check("minBytes", minBytes, 0, 1 << 30);
        check("fileMaxBytes", fileMaxBytes, 0, FILE_MOST_BYTES);
        check("level", level, 1, LEVEL_MAX);
        check("answerLevel", answerLevel, 1, LEVEL_MAX);
    }

    /// Returns whether responses of this kind are compressed.
    public boolean covers(Scope kind) {
        return scope.compareTo(kind) >= 0;
    }

    /// Returns a copy in which `change` has set some values.
    public Compression with(Consumer<Draft> change) {
        Draft draft = new Draft();
        draft.scope = scope;
        draft.types = types;
        draft.minBytes = minBytes;
        draft.fileMaxBytes = fileMaxBytes;
        draft.level = level;
        draft.answerLevel = answerLevel;
        change.accept(draft);
        return draft.build();
    }

    /// These settings while they are chosen, with the defaults at first. Used by one thread, within
    /// [#with].
    public static final class Draft {
        public Scope scope = Scope.FILES;
        public MediaTypeSet types = USUAL_TYPES;
        public int minBytes = 1 << 10;
        public int fileMaxBytes = 4 << 20;
        public int level = 6;
        public int answerLevel = 2;

        private Draft() {}

        private Compression build() {
            return new Compression(scope, types, minBytes, fileMaxBytes, level, answerLevel);
        }
    }

    private static void check(String name, int value, int from, int to) {
        if (value < from || value > to) {
            throw new IllegalArgumentException(
                    name + " must be from " + from + " to " + to + ", but is " + value);
        }
    }
}
