package dev.serval.jsp;

import jakarta.servlet.ServletContext;
import jakarta.servlet.descriptor.JspConfigDescriptor;
import jakarta.servlet.descriptor.JspPropertyGroupDescriptor;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.HashSet;
import java.util.Queue;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// Finds the files that pages include when they are compiled: by the include directive, or as prelude
/// or coda of a property group (Pages 4.0 §1.10.3, §3.3.4). Such a file may need what the page
/// declares before, and then cannot be compiled as a page of its own. Used once, by the thread that
/// deploys.
final class StaticIncludes {
    private static final Pattern DIRECTIVE =
            Pattern.compile(
                    "<(?:%@\\s*include|jsp:directive\\.include)\\s+file\\s*=\\s*[\"']([^\"']+)[\"']");
    private static final int FILE_MAX_BYTES = 1 << 20;

    private final ServletContext context;
    private final Set<String> found = new HashSet<>();

    private StaticIncludes(ServletContext context) {
        this.context = context;
    }

    /// Returns the paths of all files that the pages include, directly or by others.
    static Set<String> of(Collection<String> pages, ServletContext context) throws IOException {
        StaticIncludes includes = new StaticIncludes(context);
        Queue<String> left = new ArrayDeque<>(pages);
        includes.addConfigured(left);
        for (@Nullable String path = left.poll(); path != null; path = left.poll()) {
            includes.addOf(path, left);
        }
        return includes.found;
    }

    private void addConfigured(Queue<String> left) {
        @Nullable JspConfigDescriptor config = context.getJspConfigDescriptor();
        if (config == null) {
            return;
        }
        for (JspPropertyGroupDescriptor group : config.getJspPropertyGroups()) {
            group.getIncludePreludes().forEach(path -> add("/", path, left));
            group.getIncludeCodas().forEach(path -> add("/", path, left));
        }
    }

    private void addOf(String page, Queue<String> left) throws IOException {
        try (@Nullable InputStream in = context.getResourceAsStream(page)) {
            if (in == null) {
                return; // the compiler says so
            }
            // Every encoding of pages but UTF-16 has the directive in ASCII.
            byte[] bytes = in.readNBytes(FILE_MAX_BYTES);
            Matcher directives = DIRECTIVE.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
            while (directives.find()) {
                add(page, directives.group(1), left);
            }
        }
    }

    private void add(String from, String path, Queue<String> left) {
        try {
            String target = Path.of(from).resolveSibling(path).normalize().toString();
            if (target.startsWith("/") && found.add(target)) {
                left.add(target);
            }
        } catch (InvalidPathException e) {
            // the compiler says so
        }
    }
}
