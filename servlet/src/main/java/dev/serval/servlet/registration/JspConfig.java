package dev.serval.servlet.registration;

import dev.serval.servlet.descriptor.JspDescription;
import jakarta.servlet.descriptor.JspConfigDescriptor;
import jakarta.servlet.descriptor.JspPropertyGroupDescriptor;
import jakarta.servlet.descriptor.TaglibDescriptor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The jsp-config of an application for its code (Servlet 6.1 §4.4). Immutable.
/// No record, because EL would read its components instead of its properties.
public final class JspConfig implements JspConfigDescriptor {
    private final JspDescription declared;

    private JspConfig(JspDescription declared) {
        this.declared = declared;
    }

    /// Returns the configuration; null if nothing is declared.
    public static @Nullable JspConfigDescriptor of(JspDescription declared) {
        return declared.groups().isEmpty() && declared.taglibs().isEmpty()
                ? null
                : new JspConfig(declared);
    }

    @Override
    public Collection<TaglibDescriptor> getTaglibs() {
        List<TaglibDescriptor> all = new ArrayList<>();
        for (JspDescription.Taglib taglib : declared.taglibs()) {
            all.add(new Library(taglib));
        }
        return all;
    }

    @Override
    public Collection<JspPropertyGroupDescriptor> getJspPropertyGroups() {
        List<JspPropertyGroupDescriptor> all = new ArrayList<>();
        for (JspDescription.PropertyGroup group : declared.groups()) {
            all.add(new Group(group));
        }
        return all;
    }

    private static final class Library implements TaglibDescriptor {
        private final JspDescription.Taglib taglib;

        Library(JspDescription.Taglib taglib) {
            this.taglib = taglib;
        }

        @Override
        public String getTaglibURI() {
            return taglib.uri();
        }

        @Override
        public String getTaglibLocation() {
            return taglib.location();
        }
    }

    private static final class Group implements JspPropertyGroupDescriptor {
        private final JspDescription.PropertyGroup group;

        Group(JspDescription.PropertyGroup group) {
            this.group = group;
        }

        private @Nullable String value(String element) {
            return group.values().get(element);
        }

        @Override
        public Collection<String> getUrlPatterns() {
            return new ArrayList<>(group.urlPatterns());
        }

        @Override
        public @Nullable String getElIgnored() {
            return value("el-ignored");
        }

        @Override
        public @Nullable String getErrorOnELNotFound() {
            return value("error-on-el-not-found");
        }

        @Override
        public @Nullable String getPageEncoding() {
            return value("page-encoding");
        }

        @Override
        public @Nullable String getScriptingInvalid() {
            return value("scripting-invalid");
        }

        @Override
        public @Nullable String getIsXml() {
            return value("is-xml");
        }

        @Override
        public Collection<String> getIncludePreludes() {
            return new ArrayList<>(group.includePreludes());
        }

        @Override
        public Collection<String> getIncludeCodas() {
            return new ArrayList<>(group.includeCodas());
        }

        @Override
        public @Nullable String getDeferredSyntaxAllowedAsLiteral() {
            return value("deferred-syntax-allowed-as-literal");
        }

        @Override
        public @Nullable String getTrimDirectiveWhitespaces() {
            return value("trim-directive-whitespaces");
        }

        @Override
        public @Nullable String getDefaultContentType() {
            return value("default-content-type");
        }

        @Override
        public @Nullable String getBuffer() {
            return value("buffer");
        }

        @Override
        public @Nullable String getErrorOnUndeclaredNamespace() {
            return value("error-on-undeclared-namespace");
        }
    }
}
