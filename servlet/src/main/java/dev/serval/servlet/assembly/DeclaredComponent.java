package dev.serval.servlet.assembly;

import dev.serval.servlet.descriptor.Component;
import dev.serval.servlet.descriptor.MultipartLimits;
import dev.serval.servlet.descriptor.Origin;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one source declares about one servlet or filter. Owned by the thread that deploys.
final class DeclaredComponent {
    /// The name of the only value in [#code] and [#multipart].
    static final String ONLY = "";

    final String name;
    final Origin origin;
    final Settings<Component> code = new Settings<>();
    final Settings<MultipartLimits> multipart = new Settings<>();

    /// Values of elements that occur once, by the element's name.
    final Settings<String> values = new Settings<>();

    final Settings<String> initParams = new Settings<>();
    final Settings<String> roleLinks = new Settings<>();
    final List<Setting<String>> urlPatterns = new ArrayList<>();

    DeclaredComponent(String name, Origin origin) {
        this.name = name;
        this.origin = origin;
    }

    /// Returns its code; null if this source does not tell it.
    @Nullable Component component() {
        return code.value(ONLY);
    }
}
