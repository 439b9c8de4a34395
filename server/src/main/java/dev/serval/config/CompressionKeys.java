package dev.serval.config;

import java.util.List;

/// The keys of compression, for the server and for one mount. Stateless.
final class CompressionKeys {
    private static final long LEVEL_MAX = 9;
    private static final long FILE_MOST_BYTES = 64 << 20;

    static final Section COMPRESSION =
            new Section(
                    "compression",
                    false,
                    "What is sent compressed to clients that accept it.",
                    List.of(
                            Key.of(
                                    "mode",
                                    KeyType.choice("off", "precompressed", "files", "all"),
                                    "\"files\"",
                                    "Nothing; files with a .br, .zst or .gz file beside them; also"
                                            + " cached files, each compressed once; or also each answer of"
                                            + " applications and other servers. Read about BREACH before"
                                            + " you choose all."),
                            Key.of(
                                    "types",
                                    new KeyType.Several(
                                            KeyType.text(
                                                    "media type",
                                                    "a media type such as \"application/json\","
                                                            + " \"text/*\" or \"+json\"",
                                                    "[A-Za-z0-9!#$&^_.+/*-]{1,255}")),
                                    "(text, JSON, XML, JavaScript, WebAssembly and others that shrink)",
                                    "The media types that are compressed, in place of the usual ones."
                                            + " Files with a compressed file beside them may have any."),
                            Key.of(
                                    "min-size",
                                    KeyType.size(0, 1 << 30),
                                    "\"1k\"",
                                    "The content from which compression is worth it."),
                            Key.of(
                                    "max-file",
                                    KeyType.size(0, FILE_MOST_BYTES),
                                    "\"4m\"",
                                    "The longest file that is compressed for the cache."),
                            Key.of(
                                    "level",
                                    KeyType.number(1, LEVEL_MAX),
                                    "6",
                                    "How hard gzip tries for a file, from 1 (fast) to 9 (short)."),
                            Key.of(
                                    "answer-level",
                                    KeyType.number(1, LEVEL_MAX),
                                    "2",
                                    "How hard gzip tries for an answer of an application or of another"
                                            + " server.")),
                    List.of());

    private CompressionKeys() {}
}
