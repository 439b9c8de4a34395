package dev.serval.servlet.async;

import jakarta.servlet.AsyncListener;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import org.jspecify.annotations.Nullable;

/// A listener of an asynchronous request.
///
/// @param listener the listener
/// @param request that it was registered with; null if none
/// @param response that it was registered with; null if none
record Listening(
        AsyncListener listener,
        @Nullable ServletRequest request,
        @Nullable ServletResponse response) {}
