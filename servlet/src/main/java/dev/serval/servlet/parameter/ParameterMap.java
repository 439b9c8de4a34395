package dev.serval.servlet.parameter;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// [Parameters] as a map that cannot be changed (ServletRequest.getParameterMap). It holds nothing
/// of its own: look-ups use the index of names, and each returns a new array. A copy into a map of
/// the JDK costs more than all other work on a form with many parameters.
final class ParameterMap extends AbstractMap<String, String[]> {
    private final Parameters parameters;

    ParameterMap(Parameters parameters) {
        this.parameters = parameters;
    }

    @Override
    public int size() {
        return parameters.nameCount();
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return key instanceof String name && parameters.has(name);
    }

    @Override
    public String @Nullable [] get(@Nullable Object key) {
        return key instanceof String name ? parameters.all(name) : null;
    }

    @Override
    public String[] remove(@Nullable Object key) {
        throw new UnsupportedOperationException("The parameters of a request cannot be changed");
    }

    @Override
    public void clear() {
        throw new UnsupportedOperationException("The parameters of a request cannot be changed");
    }

    @Override
    public Set<Map.Entry<String, String[]>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public int size() {
                return parameters.nameCount();
            }

            @Override
            public Iterator<Map.Entry<String, String[]>> iterator() {
                return new Entries(parameters);
            }
        };
    }

    private static final class Entries implements Iterator<Map.Entry<String, String[]>> {
        private final Parameters parameters;
        private int at;

        Entries(Parameters parameters) {
            this.parameters = parameters;
            this.at = parameters.nextName(0);
        }

        @Override
        public boolean hasNext() {
            return at < parameters.size();
        }

        @Override
        public Map.Entry<String, String[]> next() {
            int i = at;
            if (i >= parameters.size()) {
                throw new NoSuchElementException();
            }
            at = parameters.nextName(i + 1);
            return Map.entry(parameters.name(i), parameters.all(i));
        }
    }
}
