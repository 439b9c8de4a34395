package dev.serval.servlet.context;

import dev.serval.servlet.descriptor.AppDescription;
import dev.serval.servlet.descriptor.AppDraft;
import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.ListenerDescription;
import dev.serval.servlet.descriptor.Origin;
import dev.serval.servlet.descriptor.ServletDraft;
import dev.serval.servlet.inject.AppNaming;
import dev.serval.servlet.inject.ComponentFactory;
import dev.serval.servlet.inject.Environment;
import jakarta.servlet.RequestDispatcher;
import jakarta.servlet.ServletContainerInitializer;
import jakarta.servlet.ServletContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.SessionTrackingMode;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.net.MalformedURLException;
import java.net.URI;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// An application without a server, whose files exist if their path contains "here".
public final class TestApp {
    public static final Origin WEB_XML = new Origin("WEB-INF/web.xml", 7, 3);

    public final AppDraft draft = new AppDraft();
    public final LogRecord log = new LogRecord();
    final List<Class<? extends ServletContainerInitializer>> initializers = new ArrayList<>();
    final List<Path> sources = new ArrayList<>();
    final ClassLoader loader = new ClassLoader(TestApp.class.getClassLoader()) {};
    final ComponentFactory components =
            new ComponentFactory(loader, Environment.EMPTY, AppNaming.of("test", Map.of()), log);
    HandledTypes handled = types -> Set.of();
    @Nullable List<String> orderedLibs;
    long nanos = 1_000;
    private @Nullable AppContext made;
    private @Nullable AppLifecycle life;

    /// Returns the context, made with the first call.
    public AppContext context() {
        if (made == null) {
            ContextFacts facts =
                    new ContextFacts(
                            "/app",
                            "Serval/1.0",
                            "localhost",
                            loader,
                            Path.of("tmp"),
                            orderedLibs,
                            Set.of(SessionTrackingMode.COOKIE, SessionTrackingMode.URL),
                            log);
            Surroundings surroundings =
                    new Surroundings(
                            new Files(),
                            new NamedDispatchers(),
                            path -> path.equals("/other") ? made : null,
                            extension -> extension.equals("png") ? "image/png" : null);
            made = new AppContext(facts, draft, components, surroundings);
        }
        return made;
    }

    public AppLifecycle life() {
        if (life == null) {
            life = new AppLifecycle(context(), draft, components, () -> nanos);
        }
        return life;
    }

    public AppDescription start() throws DescriptorException {
        return life().start(
                        new Initializers(initializers, sources, handled, components, loader, log));
    }

    public void stop() {
        life().stop(() -> {});
    }

    ServletDraft servlet(String name, Component code) {
        ServletDraft servlet = draft.servlet(name, WEB_XML);
        servlet.component(code, WEB_XML);
        return servlet;
    }

    void filter(String name, Component code) {
        draft.filter(name, WEB_XML).component(code, WEB_XML);
    }

    public void listener(Object listener) {
        draft.listeners().add(new ListenerDescription(new Component.Instance(listener), WEB_XML));
    }

    /// Runs code as an initializer does, then starts the application.
    static final class Script implements ServletContainerInitializer {
        @Override
        public void onStartup(@Nullable Set<Class<?>> classes, ServletContext context)
                throws ServletException {
            if (context.getAttribute("script") instanceof Step step) {
                step.run(context);
            }
        }

        public Script() {}
    }

    /// Code that configures a context.
    @FunctionalInterface
    public interface Step {
        void run(ServletContext context) throws ServletException;
    }

    /// Makes the start run code as an initializer does.
    public void script(Step step) {
        initializers.add(Script.class);
        context().setAttribute("script", step);
    }

    private static final class Files implements AppResources {
        @Override
        public @Nullable URL url(String path) {
            try {
                return path.contains("here") ? URI.create("file:" + path).toURL() : null;
            } catch (MalformedURLException wrong) {
                throw new IllegalStateException(wrong);
            }
        }

        @Override
        public @Nullable InputStream open(String path) {
            return path.contains("here")
                    ? new ByteArrayInputStream(path.getBytes(StandardCharsets.UTF_8))
                    : null;
        }

        @Override
        public @Nullable Path realPath(String path) {
            return path.contains("jar") ? null : Path.of("/files" + path);
        }

        @Override
        public Set<String> below(String path) {
            return path.contains("here") ? Set.of(path + "a", path + "b/") : Set.of();
        }
    }

    private static final class NamedDispatchers implements Dispatchers {
        @Override
        public RequestDispatcher forPath(String path) {
            return new Nowhere();
        }

        @Override
        public @Nullable RequestDispatcher named(String servlet) {
            return servlet.equals("known") ? new Nowhere() : null;
        }
    }

    private static final class Nowhere implements RequestDispatcher {
        @Override
        public void forward(ServletRequest request, ServletResponse response) {}

        @Override
        public void include(ServletRequest request, ServletResponse response) {}
    }
}
