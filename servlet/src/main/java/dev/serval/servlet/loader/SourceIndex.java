package dev.serval.servlet.loader;

import java.io.Closeable;
import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The sources of a loader, and for each folder the ones that have it. A class that is missing, or
/// that one of 100 jars has, costs one look into a map. Immutable; used by any thread.
final class SourceIndex implements Closeable {
    private final List<ClassSource> sources;

    /// The folder WEB-INF/classes is not indexed, because its files may change. It is the first of
    /// every list.
    private final List<ClassSource> unindexed;

    private final Map<String, List<ClassSource>> byFolder = new HashMap<>();

    SourceIndex(List<ClassSource> sources) throws IOException {
        this.sources = List.copyOf(sources);
        this.unindexed = sources.stream().filter(FolderSource.class::isInstance).toList();
        for (ClassSource source : sources) {
            if (source instanceof JarSource jar) {
                for (String folder : jar.folders()) {
                    byFolder.computeIfAbsent(folder, _ -> new ArrayList<>(unindexed)).add(jar);
                }
            }
        }
    }

    /// Returns the sources that may have a resource, in the order of the search.
    List<ClassSource> candidates(String resource) {
        int slash = resource.lastIndexOf('/');
        @Nullable List<ClassSource> found = byFolder.get(resource.substring(0, Math.max(0, slash)));
        return found == null ? unindexed : found;
    }

    /// Returns the number of sources.
    int size() {
        return sources.size();
    }

    /// Returns the locations of all sources.
    URL[] urls() {
        return sources.stream().map(ClassSource::location).toArray(URL[]::new);
    }

    /// Closes all sources, also after one has failed to close.
    @Override
    public void close() throws IOException {
        @Nullable IOException failure = null;
        for (ClassSource source : sources) {
            try {
                source.close();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw failure;
        }
    }
}
