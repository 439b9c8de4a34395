package dev.serval.servlet.webxml;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/// The same part of all sources, in the order of precedence (Servlet 6.1 §8.2.3). Immutable.
///
/// @param web that of web.xml
/// @param fragments those of the fragments, in fragment order
/// @param annotations those of annotations, WEB-INF/classes first, then in fragment order
public record Layers<T>(T web, List<T> fragments, List<T> annotations) {
    /// Returns a part of each.
    public <P> Layers<P> map(Function<? super T, ? extends P> part) {
        List<P> fragmentParts = new ArrayList<>();
        fragments.forEach(fragment -> fragmentParts.add(part.apply(fragment)));
        List<P> annotationParts = new ArrayList<>();
        annotations.forEach(annotation -> annotationParts.add(part.apply(annotation)));
        return new Layers<>(part.apply(web), fragmentParts, annotationParts);
    }

    /// Returns all in the order of precedence.
    public List<T> all() {
        List<T> all = new ArrayList<>();
        all.add(web);
        all.addAll(fragments);
        all.addAll(annotations);
        return all;
    }
}
