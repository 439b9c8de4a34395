package dev.serval.servlet.app;

import dev.serval.servlet.descriptor.AppDraft;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// An application that is to be deployed. Immutable.
///
/// @param contextPath empty for the root, or `/name`
/// @param files a WAR, or a folder that has WEB-INF; null for an application that code declares
/// @param loader the loader of the application's classes if it has no files
/// @param declared adds what code declares, after the descriptors and annotations
public record AppSpec(
        String contextPath,
        @Nullable Path files,
        ClassLoader loader,
        Consumer<AppDraft> declared) {}
