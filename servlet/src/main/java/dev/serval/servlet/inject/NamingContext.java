package dev.serval.servlet.inject;

import dev.serval.servlet.inject.AppNaming.Folder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Hashtable;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import javax.naming.Binding;
import javax.naming.CompositeName;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NameClassPair;
import javax.naming.NameNotFoundException;
import javax.naming.NameParser;
import javax.naming.NamingEnumeration;
import javax.naming.NamingException;
import javax.naming.NotContextException;
import javax.naming.OperationNotSupportedException;
import org.jspecify.annotations.Nullable;

/// A JNDI context over one folder of names. Every operation that changes names is refused: the
/// names of an application are read-only (Jakarta EE platform, chapter 5). The environment of a
/// context belongs to the thread that uses the context.
// The names are constants of the application, and nothing is fetched. JNDI prescribes Hashtable.
@SuppressWarnings({"BanJNDI", "JdkObsolete"})
final class NamingContext implements Context {
    private final Folder folder;
    private final String path; // from java:, without a slash at the end
    private final Hashtable<String, Object> environment;

    NamingContext(Folder folder, String path, Hashtable<String, Object> environment) {
        this.folder = folder;
        this.path = path;
        this.environment = environment;
    }

    @Override
    public Object lookup(Name name) throws NamingException {
        List<String> segments = new ArrayList<>(Collections.list(name.getAll()));
        if (path.isEmpty() && !segments.isEmpty()) {
            String first = segments.getFirst();
            if (first.startsWith(AppNaming.SCHEME)) {
                segments.set(0, first.substring(AppNaming.SCHEME.length()));
            }
        }
        segments.removeIf(String::isEmpty);
        @Nullable Object found = folder.find(segments);
        String below = String.join("/", segments);
        String full = path.isEmpty() || below.isEmpty() ? path + below : path + "/" + below;
        return switch (found) {
            case null ->
                    throw new NameNotFoundException(
                            "The application has no name "
                                    + AppNaming.SCHEME
                                    + full
                                    + ". Declare it in web.xml.");
            case Folder inner -> new NamingContext(inner, full, new Hashtable<>(environment));
            default -> found;
        };
    }

    @Override
    public Object lookup(String name) throws NamingException {
        return lookup(new CompositeName(name));
    }

    @Override
    public Object lookupLink(Name name) throws NamingException {
        return lookup(name);
    }

    @Override
    public Object lookupLink(String name) throws NamingException {
        return lookup(name);
    }

    @Override
    public NamingEnumeration<NameClassPair> list(Name name) throws NamingException {
        List<NameClassPair> pairs = new ArrayList<>();
        for (Binding binding : bindings(name)) {
            pairs.add(new NameClassPair(binding.getName(), binding.getClassName()));
        }
        return new Listing<>(pairs.iterator());
    }

    @Override
    public NamingEnumeration<NameClassPair> list(String name) throws NamingException {
        return list(new CompositeName(name));
    }

    @Override
    public NamingEnumeration<Binding> listBindings(Name name) throws NamingException {
        return new Listing<>(bindings(name).iterator());
    }

    @Override
    public NamingEnumeration<Binding> listBindings(String name) throws NamingException {
        return listBindings(new CompositeName(name));
    }

    @Override
    public NameParser getNameParser(Name name) {
        return CompositeName::new;
    }

    @Override
    public NameParser getNameParser(String name) {
        return CompositeName::new;
    }

    @Override
    public Name composeName(Name name, Name prefix) throws NamingException {
        return ((Name) prefix.clone()).addAll(name);
    }

    @Override
    public String composeName(String name, String prefix) throws NamingException {
        return composeName(new CompositeName(name), new CompositeName(prefix)).toString();
    }

    @Override
    public @Nullable Object addToEnvironment(String name, Object value) {
        return environment.put(name, value);
    }

    @Override
    public @Nullable Object removeFromEnvironment(String name) {
        return environment.remove(name);
    }

    @Override
    public Hashtable<?, ?> getEnvironment() {
        return new Hashtable<>(environment);
    }

    @Override
    public String getNameInNamespace() {
        return AppNaming.SCHEME + path;
    }

    @Override
    public void close() {}

    @Override
    public void bind(Name name, Object value) throws NamingException {
        throw readOnly();
    }

    @Override
    public void bind(String name, Object value) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rebind(Name name, Object value) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rebind(String name, Object value) throws NamingException {
        throw readOnly();
    }

    @Override
    public void unbind(Name name) throws NamingException {
        throw readOnly();
    }

    @Override
    public void unbind(String name) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rename(Name oldName, Name newName) throws NamingException {
        throw readOnly();
    }

    @Override
    public void rename(String oldName, String newName) throws NamingException {
        throw readOnly();
    }

    @Override
    public Context createSubcontext(Name name) throws NamingException {
        throw readOnly();
    }

    @Override
    public Context createSubcontext(String name) throws NamingException {
        throw readOnly();
    }

    @Override
    public void destroySubcontext(Name name) throws NamingException {
        throw readOnly();
    }

    @Override
    public void destroySubcontext(String name) throws NamingException {
        throw readOnly();
    }

    private List<Binding> bindings(Name name) throws NamingException {
        if (!(lookup(name) instanceof NamingContext context)) {
            throw new NotContextException(name + " has a value, not names below it.");
        }
        List<Binding> bindings = new ArrayList<>();
        for (Map.Entry<String, Object> entry : context.folder.names().entrySet()) {
            String named = entry.getKey();
            bindings.add(new Binding(named, context.lookup(new CompositeName().add(named))));
        }
        return bindings;
    }

    private static NamingException readOnly() {
        return new OperationNotSupportedException(
                "The names of an application are read-only. Declare the name in web.xml.");
    }

    private record Listing<T>(Iterator<T> items) implements NamingEnumeration<T> {
        @Override
        public T next() {
            return items.next();
        }

        @Override
        public boolean hasMore() {
            return items.hasNext();
        }

        @Override
        public T nextElement() {
            return items.next();
        }

        @Override
        public boolean hasMoreElements() {
            return items.hasNext();
        }

        @Override
        public void close() {}
    }
}
