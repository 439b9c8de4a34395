package dev.serval.jsp.expression;

import jakarta.el.BeanELResolver;
import jakarta.el.CompositeELResolver;
import jakarta.el.ELClass;
import jakarta.el.ELContext;
import jakarta.el.ELException;
import jakarta.el.ELResolver;
import jakarta.el.ListELResolver;
import jakarta.el.MapELResolver;
import jakarta.el.ResourceBundleELResolver;
import jakarta.el.StaticFieldELResolver;
import jakarta.servlet.jsp.JspContext;
import jakarta.servlet.jsp.PageContext;
import jakarta.servlet.jsp.el.ImplicitObjectELResolver;
import jakarta.servlet.jsp.el.ImportELResolver;
import jakarta.servlet.jsp.el.NotFoundELResolver;
import jakarta.servlet.jsp.el.ScopedAttributeELResolver;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.ResourceBundle;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Resolves the names and properties of expressions in pages, in the order of Pages 4.0 §2.9.
///
/// The resolvers of the standard serve disjoint types, so the type of the base decides which one is
/// asked. Jasper's resolver asks all of them for each conversion, and compares each name with all
/// implicit objects; that took a third of the time of a page (docs/internals/jsp.md). Any thread;
/// [#add] only before the first expression.
final class PageResolver extends CompositeELResolver {
    private static final Set<String> IMPLICIT_OBJECTS =
            Set.of(
                    "pageContext",
                    "pageScope",
                    "requestScope",
                    "sessionScope",
                    "applicationScope",
                    "param",
                    "paramValues",
                    "header",
                    "headerValues",
                    "cookie",
                    "initParam");

    private final ELResolver implicitObjects = new ImplicitObjectELResolver();
    private final ELResolver streams;
    private final ELResolver fields = new StaticFieldELResolver();
    private final ELResolver beans = new BeanELResolver();
    private final ELResolver[] ofNames = {
        new ScopedAttributeELResolver(), new ImportELResolver(), new NotFoundELResolver()
    };
    private final ELResolver[] ofClasses = {fields, beans};
    private final ELResolver[] ofMaps = {new MapELResolver(), beans};
    private final ELResolver[] ofBundles = {new ResourceBundleELResolver(), beans};
    private final ELResolver[] ofLists = {new ListELResolver(), beans};
    private final ELResolver[] ofArrays = {new PageArrays(), beans};
    private final ELResolver[] ofRecords = {new RecordProperties(), beans};
    private final ELResolver[] ofBeans = {beans};
    private final ELResolver[] ofPages = {new PageProperties()};
    private final ELResolver[] ofApplication; // asked before those of the standard
    private volatile ELResolver[] added = {}; // asked after all others

    /// Creates a resolver.
    ///
    /// @param ofApplication the resolvers that the application has added, in their order
    /// @param streams resolves `stream` of collections (EL 6.0 §2)
    PageResolver(List<ELResolver> ofApplication, ELResolver streams) {
        this.ofApplication = ofApplication.toArray(ELResolver[]::new);
        this.streams = streams;
    }

    @Override
    public void add(ELResolver resolver) {
        ELResolver[] more = Arrays.copyOf(added, added.length + 1);
        more[added.length] = Objects.requireNonNull(resolver);
        added = more;
    }

    @Override
    public @Nullable Object getValue(ELContext el, @Nullable Object base, Object property) {
        el.setPropertyResolved(false);
        if (base == null && isImplicitObject(property)) {
            @Nullable Object scope = scope(el, property);
            if (scope != null) {
                el.setPropertyResolved(null, property);
                return scope;
            }
            Object value = implicitObjects.getValue(el, null, property);
            if (el.isPropertyResolved()) {
                return value;
            }
        }
        for (ELResolver one : ofApplication) {
            Object value = one.getValue(el, base, property);
            if (el.isPropertyResolved()) {
                return value;
            }
        }
        for (ELResolver one : ofStandard(base)) {
            Object value = one.getValue(el, base, property);
            if (el.isPropertyResolved()) {
                return value;
            }
        }
        for (ELResolver one : added) {
            Object value = one.getValue(el, base, property);
            if (el.isPropertyResolved()) {
                return value;
            }
        }
        return null;
    }

    @Override
    public @Nullable Class<?> getType(ELContext el, @Nullable Object base, Object property) {
        el.setPropertyResolved(false);
        for (ELResolver one : chain(base, property)) {
            Class<?> type = one.getType(el, base, property);
            if (el.isPropertyResolved()) {
                return type;
            }
        }
        return null;
    }

    @Override
    public void setValue(
            ELContext el, @Nullable Object base, Object property, @Nullable Object value) {
        el.setPropertyResolved(false);
        for (ELResolver one : chain(base, property)) {
            one.setValue(el, base, property, value);
            if (el.isPropertyResolved()) {
                return;
            }
        }
    }

    @Override
    public boolean isReadOnly(ELContext el, @Nullable Object base, Object property) {
        el.setPropertyResolved(false);
        for (ELResolver one : chain(base, property)) {
            boolean readOnly = one.isReadOnly(el, base, property);
            if (el.isPropertyResolved()) {
                return readOnly;
            }
        }
        return false;
    }

    @Override
    public @Nullable Object invoke(
            ELContext el,
            Object base,
            @Nullable Object method,
            Class<?> @Nullable [] types,
            Object @Nullable [] arguments) {
        String name = name(method);
        if (name.isEmpty()) {
            throw new ELException(new NoSuchMethodException());
        }
        el.setPropertyResolved(false);
        for (ELResolver one : callable()) {
            Object result = one.invoke(el, base, name, types, arguments);
            if (el.isPropertyResolved()) {
                return result;
            }
        }
        return null;
    }

    /// Asks the resolvers of the application only, because those of the standard convert nothing.
    @Override
    public <T> @Nullable T convertToType(ELContext el, @Nullable Object value, Class<T> type) {
        el.setPropertyResolved(false);
        for (ELResolver one : ofApplication) {
            T converted = one.convertToType(el, value, type);
            if (el.isPropertyResolved()) {
                return converted;
            }
        }
        for (ELResolver one : added) {
            T converted = one.convertToType(el, value, type);
            if (el.isPropertyResolved()) {
                return converted;
            }
        }
        return null;
    }

    /// Returns the most general type that a resolver takes. Only tools ask.
    @Override
    public Class<?> getCommonPropertyType(ELContext el, @Nullable Object base) {
        for (ELResolver one : ofApplication) {
            Class<?> type = one.getCommonPropertyType(el, base);
            if (type != null && type.isAssignableFrom(String.class) && type != String.class) {
                return type;
            }
        }
        return base == null ? String.class : Object.class;
    }

    /// Returns the resolvers for `base`, in the order in which they are asked.
    private ELResolver[] chain(@Nullable Object base, Object property) {
        ELResolver[] all = new ELResolver[ofApplication.length + added.length + 4];
        int count = 0;
        if (base == null && isImplicitObject(property)) {
            all[count++] = implicitObjects;
        }
        for (ELResolver one : ofApplication) {
            all[count++] = one;
        }
        for (ELResolver one : ofStandard(base)) {
            all[count++] = one;
        }
        for (ELResolver one : added) {
            all[count++] = one;
        }
        return Arrays.copyOf(all, count);
    }

    private ELResolver[] callable() {
        ELResolver[] all = Arrays.copyOf(ofApplication, ofApplication.length + added.length + 3);
        int count = ofApplication.length;
        all[count++] = streams;
        all[count++] = fields;
        all[count++] = beans;
        for (ELResolver one : added) {
            all[count++] = one;
        }
        return all;
    }

    /// Returns the standard's resolvers for `base`.
    private ELResolver[] ofStandard(@Nullable Object base) {
        return switch (base) {
            case null -> ofNames;
            case Map<?, ?> _ -> ofMaps;
            case List<?> _ -> ofLists;
            case ELClass _ -> ofClasses;
            case ResourceBundle _ -> ofBundles;
            case Record _ -> ofRecords;
            case PageContext _ -> ofPages;
            default -> base.getClass().isArray() ? ofArrays : ofBeans;
        };
    }

    /// Returns the attributes of a scope; null if the name is not that of one. A page that uses no session,
    /// or has lost it, has none there.
    private static @Nullable Object scope(ELContext el, Object property) {
        int scope =
                switch (String.valueOf(property)) {
                    case "pageScope" -> PageContext.PAGE_SCOPE;
                    case "requestScope" -> PageContext.REQUEST_SCOPE;
                    case "sessionScope" -> PageContext.SESSION_SCOPE;
                    case "applicationScope" -> PageContext.APPLICATION_SCOPE;
                    default -> 0;
                };
        if (scope == 0 || !(el.getContext(JspContext.class) instanceof PageContext page)) {
            return null;
        }
        return scope == PageContext.SESSION_SCOPE && page.getSession() == null
                ? Map.of()
                : new PageScope(page, scope);
    }

    private static boolean isImplicitObject(Object property) {
        return property instanceof String name && IMPLICIT_OBJECTS.contains(name);
    }

    private static String name(@Nullable Object method) {
        return switch (method) {
            case null -> "";
            case Enum<?> constant -> constant.name();
            default -> method.toString();
        };
    }
}
