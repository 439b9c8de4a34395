package dev.serval.servlet.webxml;

import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.MultipartLimits;
import dev.serval.servlet.descriptor.Origin;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one source declares about one servlet or filter. Owned by the thread that deploys.
public final class DeclaredComponent {
    /// The name of the only value in [#code] and [#multipart].
    public static final String ONLY = "";

    public final String name;
    public final Origin origin;
    public final Settings<Component> code = new Settings<>();
    public final Settings<MultipartLimits> multipart = new Settings<>();

    /// Values of elements that occur once, by the element's name.
    public final Settings<String> values = new Settings<>();

    public final Settings<String> initParams = new Settings<>();
    public final Settings<String> roleLinks = new Settings<>();
    public final List<Setting<String>> urlPatterns = new ArrayList<>();

    public DeclaredComponent(String name, Origin origin) {
        this.name = name;
        this.origin = origin;
    }

    /// Returns its code; null if this source does not tell it.
    @Nullable
    public Component component() {
        return code.value(ONLY);
    }
}
