package dev.serval.servlet.loader;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.System.Logger.Level;
import java.net.JarURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.net.URLConnection;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/// Classes in a jar, which may be a multi-release jar. Signatures are not checked. Threads may use
/// it at once.
final class JarSource implements ClassSource {
    private static final System.Logger LOG = System.getLogger(JarSource.class.getName());
    private static final String VERSIONS = "META-INF/versions/";

    private final class JarResource implements Resource {
        private final JarEntry entry;
        private final String name;

        private JarResource(JarEntry entry, String name) {
            this.entry = entry;
            this.name = name;
        }

        @Override
        public URL url() throws IOException {
            String realName = entry.isDirectory() ? name : entry.getRealName();
            return uri(prefix + encoded(realName)).toURL();
        }

        @Override
        public InputStream open() throws IOException {
            @Nullable InputStream in = jar.getInputStream(entry);
            if (in == null) {
                throw new IOException(label + " no longer has " + name);
            }
            return in;
        }
    }

    private final JarFile jar;
    private final String label;
    private final URL location;
    private final String prefix;

    JarSource(Path file) throws IOException {
        this.label = "WEB-INF/lib/" + file.getFileName();
        this.location = file.toUri().toURL();
        // A jar's URL ends at the first "!/", so a folder must not end with that sign.
        this.prefix = "jar:" + file.toUri().toASCIIString().replace("!", "%21") + "!/";
        try {
            this.jar =
                    new JarFile(
                            new File(file.toString()),
                            false,
                            ZipFile.OPEN_READ,
                            JarFile.runtimeVersion());
        } catch (IOException e) {
            throw new IOException(
                    file
                            + " cannot be opened as a jar: "
                            + e.getMessage()
                            + ". Copy it again or remove it from WEB-INF/lib",
                    e);
        }
    }

    /// Returns the folders that have entries, without a slash at the end. Folders of versions count
    /// as those that they stand for.
    Set<String> folders() throws IOException {
        Set<String> folders = new HashSet<>();
        boolean versioned = jar.isMultiRelease();
        String last = "/";
        for (Iterator<JarEntry> entries = jar.entries().asIterator(); entries.hasNext(); ) {
            String name = entries.next().getName();
            String folder = name.substring(0, Math.max(0, name.lastIndexOf('/')));
            if (name.endsWith("/")) {
                folders.add(parent(folder));
            }
            if (folder.equals(last)) {
                continue;
            }
            last = folder;
            folders.add(folder);
            if (versioned && folder.startsWith(VERSIONS)) {
                int slash = folder.indexOf('/', VERSIONS.length());
                folders.add(slash < 0 ? "" : folder.substring(slash + 1));
            }
        }
        return folders;
    }

    private static String parent(String folder) {
        return folder.substring(0, Math.max(0, folder.lastIndexOf('/')));
    }

    @Override
    public @Nullable Resource find(String name) {
        try {
            @Nullable JarEntry entry = jar.getJarEntry(name);
            return entry == null ? null : new JarResource(entry, name);
        } catch (IllegalStateException e) {
            LOG.log(Level.DEBUG, "A jar was searched after its application had been stopped", e);
            return null;
        }
    }

    @Override
    public URL location() {
        return location;
    }

    @Override
    public String label() {
        return label;
    }

    @Override
    public @Nullable Manifest manifest() throws IOException {
        return jar.getManifest();
    }

    /// Closes the jar, and the copy that the JDK keeps open for URLs that were read.
    @Override
    public void close() throws IOException {
        try {
            URLConnection connection = uri(prefix).toURL().openConnection();
            connection.setUseCaches(true);
            if (connection instanceof JarURLConnection cached) {
                cached.getJarFile().close(); // closing it removes it from the cache
            }
        } catch (IOException e) {
            LOG.log(Level.DEBUG, "A jar is gone, so the JDK has none to close", e);
        } finally {
            jar.close();
        }
    }

    private static URI uri(String text) throws IOException {
        try {
            return new URI(text);
        } catch (URISyntaxException e) {
            throw new IOException("There is no URL for " + text, e);
        }
    }

    /// Encodes what a URL's path cannot have.
    private static String encoded(String name) throws IOException {
        try {
            String path = new URI(null, null, "/" + name, null).toASCIIString();
            return path.substring(1).replace("!", "%21");
        } catch (URISyntaxException e) {
            throw new IOException("There is no URL for " + name, e);
        }
    }
}
