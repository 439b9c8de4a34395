package dev.serval.servlet.files;

import dev.serval.file.HiddenPaths;
import dev.serval.servlet.archive.AppFile;
import dev.serval.servlet.archive.AppFiles;
import dev.serval.servlet.context.AppResources;
import java.io.IOException;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The files of an application for its context. A file that cannot be read counts as absent, with a
/// line in the log.
///
/// @param files the files
/// @param log the application's log
public record DeployedFiles(AppFiles files, System.Logger log) implements AppResources {
    @Override
    public @Nullable URL url(String path) {
        try {
            return files.url(path);
        } catch (MalformedURLException e) {
            log.log(System.Logger.Level.WARNING, "The file " + path + " has no URL", e);
            return null;
        }
    }

    @Override
    public @Nullable InputStream open(String path) {
        try {
            return files.open(path);
        } catch (IOException e) {
            log.log(System.Logger.Level.WARNING, "Serval failed to read the file " + path, e);
            return null;
        }
    }

    @Override
    public @Nullable Path realPath(String path) {
        @Nullable String real = files.realPath(path);
        return real == null ? null : Path.of(real);
    }

    @Override
    public Set<String> below(String path) {
        try {
            return files.below(path);
        } catch (IOException e) {
            log.log(System.Logger.Level.WARNING, "Serval failed to read the folder " + path, e);
            return Set.of();
        }
    }

    /// Returns whether a path without a final slash is that of a folder.
    boolean isFolder(String path) {
        @Nullable AppFile found = path.endsWith("/") ? null : files.find(path);
        return found != null && found.folder();
    }

    /// Returns whether a file or folder may have this path, by one look at the disk for each folder
    /// of files. A path that the file system cannot name has none.
    boolean mayHave(String path) {
        try {
            for (Path root : files.roots()) {
                if (Files.exists(Path.of(root + path))) {
                    return true;
                }
            }
        } catch (InvalidPathException e) {
            return false; // such as ü in a JVM that encodes names in ASCII
        }
        return false;
    }

    /// Returns the file at a path, if clients may have it; null if not, or if there is none.
    @Nullable Path served(String path) {
        @Nullable Path file = HiddenPaths.hides(path) ? null : file(path);
        return file == null || leadsToHidden(file) ? null : file;
    }

    /// Returns whether a link leads to a file that is never served.
    private boolean leadsToHidden(Path file) {
        try {
            Path real = file.toRealPath();
            for (Path root : files.roots()) {
                if (real.startsWith(root)) {
                    return HiddenPaths.hides(real, root.getNameCount());
                }
            }
            return true;
        } catch (IOException e) {
            log.log(System.Logger.Level.WARNING, "Serval failed to read the file " + file, e);
            return true;
        }
    }

    /// Returns the file at a path; null if there is none, or it is a folder.
    @Nullable
    public Path file(String path) {
        @Nullable AppFile found = files.find(path);
        return found == null || found.folder() ? null : found.path();
    }
}
