package dev.serval.servlet.multipart;

import jakarta.servlet.http.Part;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/// A complete part, for the application. After the end of the request its content is gone, unless
/// the application has written it to a file. Used by one thread at a time.
final class FormPart implements Part {
    private final PartHead head;
    private final Path location;
    private final long length;
    private PartContent content;

    FormPart(PartHead head, PartContent content, long length, Path location) {
        this.head = head;
        this.content = content;
        this.length = length;
        this.location = location;
    }

    @Override
    public InputStream getInputStream() throws IOException {
        return content.open();
    }

    @Override
    public @Nullable String getContentType() {
        return head.first("Content-Type");
    }

    @Override
    public String getName() {
        return head.name();
    }

    /// Returns the name of the file as the client sent it, perhaps with a path; never use it as a
    /// path of the server.
    @Override
    public @Nullable String getSubmittedFileName() {
        return head.fileName();
    }

    @Override
    public long getSize() {
        return length;
    }

    /// Writes the content to a file, which replaces one of that name. An absolute name is used as it
    /// is. A relative one must not leave the location, because applications pass the names of
    /// clients here.
    @Override
    public void write(String fileName) throws IOException {
        Path target = location.resolve(fileName).normalize();
        boolean absolute = Path.of(fileName).isAbsolute();
        if (!absolute && (!target.startsWith(location.normalize()) || target.equals(location))) {
            throw new IOException(
                    "The file name leads out of the multipart location: pass a name without .. or"
                            + " an absolute path.");
        }
        content = content.writeTo(target);
    }

    @Override
    public void delete() throws IOException {
        PartContent last = content;
        content = new PartContent.Deleted();
        last.delete();
    }

    @Override
    public @Nullable String getHeader(String name) {
        return head.first(name);
    }

    @Override
    public Collection<String> getHeaders(String name) {
        return head.all(name);
    }

    @Override
    public Collection<String> getHeaderNames() {
        return head.names();
    }

    /// Returns whether the part is text for a parameter (Servlet 6.1 §3.2): it has no file name.
    boolean isText() {
        return head.fileName() == null;
    }
}
