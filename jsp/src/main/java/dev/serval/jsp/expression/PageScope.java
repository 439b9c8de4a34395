package dev.serval.jsp.expression;

import jakarta.servlet.jsp.PageContext;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The attributes of one scope of a page, as `requestScope` and the like show them. Expressions and tags
/// may change them, such as `<c:set target="${requestScope}" …>`, as with Tomcat. The maps of the API can
/// only be read. Used by the thread of the page.
final class PageScope extends AbstractMap<String, Object> {
    private final PageContext page;
    private final int scope;

    /// Creates the map of a scope.
    ///
    /// @param scope as [PageContext#REQUEST_SCOPE]
    PageScope(PageContext page, int scope) {
        this.page = page;
        this.scope = scope;
    }

    @Override
    public @Nullable Object get(@Nullable Object key) {
        return key instanceof String name ? page.getAttribute(name, scope) : null;
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return get(key) != null;
    }

    @Override
    public @Nullable Object put(String name, @Nullable Object value) {
        @Nullable Object before = get(name);
        page.setAttribute(name, value, scope);
        return before;
    }

    @Override
    public @Nullable Object remove(@Nullable Object key) {
        @Nullable Object before = get(key);
        if (key instanceof String name) {
            page.removeAttribute(name, scope);
        }
        return before;
    }

    @Override
    public Set<Entry<String, Object>> entrySet() {
        return new Entries();
    }

    private List<String> names() {
        return Collections.list(page.getAttributeNamesInScope(scope));
    }

    private final class Entries extends AbstractSet<Entry<String, Object>> {
        @Override
        public int size() {
            return names().size();
        }

        @Override
        public Iterator<Entry<String, Object>> iterator() {
            return new EntryIterator(names().iterator());
        }
    }

    /// Walks over the names as they were at the beginning. Another thread may remove an attribute
    /// meanwhile.
    private final class EntryIterator implements Iterator<Entry<String, Object>> {
        private final Iterator<String> names;
        private String last = "";

        private EntryIterator(Iterator<String> names) {
            this.names = names;
        }

        @Override
        public boolean hasNext() {
            return names.hasNext();
        }

        @Override
        public Entry<String, Object> next() {
            last = names.next();
            return new SimpleImmutableEntry<>(last, page.getAttribute(last, scope));
        }

        @Override
        public void remove() {
            page.removeAttribute(last, scope);
        }
    }
}
