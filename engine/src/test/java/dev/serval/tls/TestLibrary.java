package dev.serval.tls;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;

/// The library of TLS that tests run over: the JDK's, unless another module runs them over its own.
public final class TestLibrary {
    /// The property with the class of the library.
    private static final String PROPERTY = "serval.test.tls";

    /// Makes the providers of tests.
    public static final TlsProvider.Maker PRESENT = present();

    private TestLibrary() {}

    private static TlsProvider.Maker present() {
        String name = System.getProperty(PROPERTY, "");
        if (name.isEmpty()) {
            return JdkTls.LIBRARY;
        }
        try {
            return Class.forName(name)
                    .asSubclass(TlsProvider.Maker.class)
                    .getConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("The library of tests is missing: " + name, e);
        }
    }

    /// Skips a test of what only the engine of the JDK does.
    static void needsJdk(String what) {
        Assumptions.assumeTrue(isJdk(), "only the engine of the JDK " + what);
    }

    /// Skips a test of what the engine of the JDK has other threads do.
    static void needsWorkOnTheLoop() {
        Assumptions.assumeFalse(isJdk(), "the engine of the JDK works on other threads");
    }

    static boolean isJdk() {
        return PRESENT.equals(JdkTls.LIBRARY);
    }

    /// Makes a provider of the files of the settings.
    public static TlsProvider of(TlsSettings settings) throws IOException {
        List<Credential> all = new ArrayList<>();
        for (KeyFiles files : settings.keys()) {
            all.addAll(files.read());
        }
        return of(all, settings);
    }

    /// Makes a provider of keys that were read.
    static TlsProvider of(List<Credential> keys, TlsSettings settings) throws IOException {
        return PRESENT.make(new IssuedKeys(keys, Set.of(), List.of()), _ -> {}, settings);
    }
}
