package dev.serval.servlet.inject.java;

import dev.serval.servlet.inject.AppNaming;
import dev.serval.servlet.inject.NamingOwner;
import java.util.Hashtable;
import java.util.Map;
import javax.naming.Context;
import javax.naming.Name;
import javax.naming.NamingException;
import javax.naming.NoInitialContextException;
import javax.naming.spi.InitialContextFactory;
import javax.naming.spi.ObjectFactory;
import org.jspecify.annotations.Nullable;

/// Provides JNDI with the names under `java:` of the application that the calling thread runs. JNDI
/// prescribes the name of this class.
///
/// It also makes the initial context, of which applications ask more than these names: Spring looks at
/// its environment to find out whether there is JNDI at all.
@SuppressWarnings("BanJNDI") // the names are constants of the application; nothing is fetched
public final class javaURLContextFactory implements ObjectFactory, InitialContextFactory {
    /// Creates the factory. JNDI calls it.
    public javaURLContextFactory() {}

    /// Returns the context of all names, or the object that a URL names.
    ///
    /// @param url null for the context, a URL, or an array of equivalent URLs
    @Override
    public Object getObjectInstance(
            @Nullable Object url,
            @Nullable Name name,
            @Nullable Context parent,
            @Nullable Hashtable<?, ?> environment)
            throws NamingException {
        Context context = namesOfThread().context(environment == null ? Map.of() : environment);
        return switch (url) {
            case null -> context;
            case String one -> context.lookup(one);
            case String[] several -> first(context, several);
            default -> throw new NamingException("JNDI passed " + url + " instead of a URL.");
        };
    }

    @Override
    public Context getInitialContext(@Nullable Hashtable<?, ?> environment) throws NamingException {
        return namesOfThread().context(environment == null ? Map.of() : environment);
    }

    private static AppNaming namesOfThread() throws NamingException {
        @Nullable ClassLoader loader = Thread.currentThread().getContextClassLoader();
        while (loader != null) {
            if (loader instanceof NamingOwner owner) {
                return owner.naming();
            }
            loader = loader.getParent();
        }
        throw new NoInitialContextException(
                "The context class loader of this thread belongs to no application, so java: has no"
                        + " names here. Look up the name on a thread of the application.");
    }

    private static Object first(Context context, String[] urls) throws NamingException {
        @Nullable NamingException why = null;
        for (String url : urls) {
            try {
                return context.lookup(url);
            } catch (NamingException unknown) {
                why = unknown;
            }
        }
        throw why == null ? new NamingException("JNDI passed an empty list of URLs.") : why;
    }
}
