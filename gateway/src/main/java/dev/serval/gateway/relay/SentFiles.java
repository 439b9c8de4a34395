package dev.serval.gateway.relay;

import dev.serval.exchange.EngineExchange;
import dev.serval.file.FileHandler;
import dev.serval.file.FileOptions;
import dev.serval.handler.Handler;
import dev.serval.http.FieldName;
import dev.serval.http.Fields;
import dev.serval.http.Status;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Sends a file that an application has named in place of its own content: by X-Accel-Redirect as a
/// percent-encoded path below the folder, or by X-Sendfile as a file path in it. Only files of this
/// folder are sent. Immutable.
public final class SentFiles {
    private static final Handler ABSENT =
            x ->
                    x.refuse(
                            Status.NOT_FOUND,
                            Fields.EMPTY,
                            "The application named a file that does not exist.");

    private static final Set<FieldName> NAMES =
            Set.of(FieldName.X_ACCEL_REDIRECT, FieldName.X_SENDFILE);

    /// The fields that the file itself has: its validators, which the conditions of the request are
    /// compared with, and those that describe the bytes that are sent (RFC 9110 §8).
    private static final Set<FieldName> OF_BYTES =
            Set.of(
                    FieldName.ETAG,
                    FieldName.LAST_MODIFIED,
                    FieldName.CONTENT_ENCODING,
                    FieldName.CONTENT_RANGE,
                    FieldName.ACCEPT_RANGES,
                    FieldName.CONTENT_LENGTH);

    /// The fields that the application sets for the file, and that are wrong for an error page.
    private static final Set<FieldName> OF_FILE =
            Set.of(
                    FieldName.CONTENT_TYPE,
                    FieldName.CONTENT_DISPOSITION,
                    FieldName.CONTENT_LANGUAGE,
                    FieldName.CONTENT_LOCATION,
                    FieldName.CACHE_CONTROL,
                    FieldName.EXPIRES,
                    FieldName.PRAGMA);

    private final Path folder;
    private final FileHandler files;

    private SentFiles(Path folder, FileHandler files) {
        this.folder = folder.toAbsolutePath().normalize();
        this.files = files;
    }

    /// Returns the files in a folder, without links out of it. Reads the disk.
    ///
    /// @return null without a folder
    /// @throws IllegalArgumentException if there is no such folder
    public static @Nullable SentFiles below(@Nullable Path folder) {
        return below(folder, FileOptions.DEFAULT);
    }

    /// Returns the files in a folder. Reads the disk.
    ///
    /// @return null without a folder
    /// @throws IllegalArgumentException if there is no such folder
    public static @Nullable SentFiles below(@Nullable Path folder, FileOptions options) {
        return folder == null ? null : new SentFiles(folder, FileHandler.of(folder, options));
    }

    /// Returns whether fields of an application name a file.
    public static boolean areNamedBy(Fields fields) {
        return fields.contains(FieldName.X_ACCEL_REDIRECT) || fields.contains(FieldName.X_SENDFILE);
    }

    /// Returns fields of an application without those that name a file.
    public static Fields withoutNames(Fields fields) {
        return without(NAMES, fields);
    }

    /// Answers with the file.
    ///
    /// @param accelRedirect the value of X-Accel-Redirect, or null
    /// @param sendfile the value of X-Sendfile, used if the other is null
    /// @param fields of the application, which replace those of the file except for those that
    ///     depend on its bytes. Those that describe the file are not sent with an error
    public void send(
            EngineExchange x,
            @Nullable String accelRedirect,
            @Nullable String sendfile,
            Fields fields) {
        byte @Nullable [] path =
                accelRedirect != null
                        ? ofUri(accelRedirect)
                        : sendfile == null ? null : ofFile(sendfile);
        if (path == null) {
            x.refuse(
                    Status.BAD_GATEWAY,
                    Fields.EMPTY,
                    "The application named a file outside of the folder from which it may send.");
            return;
        }
        Fields added = without(OF_BYTES, fields);
        x.addFields(added, without(OF_FILE, added));
        files.serve(x, path, ABSENT);
    }

    private static Fields without(Set<FieldName> names, Fields fields) {
        Fields others = new Fields();
        for (int i = 0; i < fields.size(); i++) {
            @Nullable FieldName name = fields.known(i);
            if (name == null || !names.contains(name)) {
                others.add(fields, i);
            }
        }
        return others;
    }

    /// Returns the decoded path, or null if it is malformed or has dot segments.
    private byte @Nullable [] ofUri(String uri) {
        int query = uri.indexOf('?');
        String raw = query < 0 ? uri : uri.substring(0, query);
        ByteArrayOutputStream decoded = new ByteArrayOutputStream();
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                int high = i + 2 < raw.length() ? Character.digit(raw.charAt(i + 1), 16) : -1;
                int low = i + 2 < raw.length() ? Character.digit(raw.charAt(i + 2), 16) : -1;
                if (high < 0 || low < 0) {
                    return null;
                }
                decoded.write(high << 4 | low);
                i += 2;
            } else {
                decoded.write(c);
            }
        }
        return checked(decoded.toByteArray());
    }

    private byte @Nullable [] ofFile(String name) {
        try {
            String utf8 =
                    new String(name.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
            Path file = Path.of(utf8).normalize();
            if (!file.isAbsolute() || !file.startsWith(folder) || file.equals(folder)) {
                return null;
            }
            String below = "/" + folder.relativize(file);
            return checked(below.getBytes(StandardCharsets.UTF_8));
        } catch (InvalidPathException e) {
            return null;
        }
    }

    private static byte @Nullable [] checked(byte[] path) {
        String text = new String(path, StandardCharsets.UTF_8);
        boolean plain =
                text.startsWith("/")
                        && !text.contains("//")
                        && !(text + "/").contains("/../")
                        && !(text + "/").contains("/./")
                        && text.indexOf('\\') < 0
                        && text.chars().noneMatch(Character::isISOControl);
        return plain ? path : null;
    }
}
