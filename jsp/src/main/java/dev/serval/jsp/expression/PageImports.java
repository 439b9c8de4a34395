package dev.serval.jsp.expression;

import jakarta.el.ELException;
import jakarta.el.ImportHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// The classes that the expressions of one page see by name (EL 6.0 §2.5). A name that is no attribute
/// may be a class of any imported package. The API looks for it with each request: a
/// `ClassNotFoundException` for each package and class loader, which took a twentieth of the time of a
/// page. So an application remembers which names are no classes, for each list of imports. Used by one
/// thread.
final class PageImports extends ImportHandler {
    /// The names that are no classes, of one application. Any thread.
    static final class Unknown {
        /// Code may make any number of names.
        private static final int NAMES_MAX = 10_000;

        private final Map<List<String>, Set<String>> byImports = new ConcurrentHashMap<>();
        private final AtomicInteger names = new AtomicInteger();

        private boolean has(List<String> imports, String name) {
            @Nullable Set<String> known = byImports.get(imports);
            return known != null && known.contains(name);
        }

        private void add(List<String> imports, String name) {
            if (names.get() < NAMES_MAX
                    && byImports
                            .computeIfAbsent(
                                    List.copyOf(imports), _ -> ConcurrentHashMap.newKeySet())
                            .add(name)) {
                names.incrementAndGet();
            }
        }
    }

    private final Unknown unknown;
    private final @Nullable List<String> imports; // null while the API imports java.lang

    PageImports(Unknown unknown) {
        this.unknown = unknown;
        this.imports = new ArrayList<>(8);
    }

    @Override
    public void importPackage(String name) {
        super.importPackage(name);
        note(name);
    }

    @Override
    public void importClass(String name) {
        super.importClass(name);
        note(name);
    }

    @Override
    public @Nullable Class<?> resolveClass(String name) {
        List<String> present = imports == null ? List.of() : imports;
        if (unknown.has(present, name)) {
            return null;
        }
        @Nullable Class<?> found = find(name);
        if (found == null) {
            unknown.add(present, name);
        }
        return found;
    }

    /// Returns null also for an interface, and for a class that is abstract or not public. The API throws
    /// then, but the name is usually that of an attribute which is absent, such as `Record` or `Filter`.
    private @Nullable Class<?> find(String name) {
        try {
            return super.resolveClass(name);
        } catch (ELException e) {
            return null;
        }
    }

    private void note(String name) {
        if (imports != null) {
            imports.add(name);
        }
    }
}
