package dev.serval.servlet.files;

import dev.serval.servlet.context.AppResources;
import java.io.InputStream;
import java.net.URL;
import java.nio.file.Path;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The files of an application that has none, because code declares it.
public record NoFiles() implements AppResources {
    @Override
    public @Nullable URL url(String path) {
        return null;
    }

    @Override
    public @Nullable InputStream open(String path) {
        return null;
    }

    @Override
    public @Nullable Path realPath(String path) {
        return null;
    }

    @Override
    public Set<String> below(String path) {
        return Set.of();
    }
}
