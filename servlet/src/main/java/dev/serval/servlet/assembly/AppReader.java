package dev.serval.servlet.assembly;

import dev.serval.servlet.descriptor.AppDraft;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.Origin;
import dev.serval.servlet.scan.AnnotationScan;
import dev.serval.servlet.scan.ClassFiles;
import dev.serval.servlet.scan.ScanCache;
import dev.serval.servlet.webxml.Declarations;
import dev.serval.servlet.webxml.DescriptorCheck;
import dev.serval.servlet.webxml.DescriptorSchemas;
import dev.serval.servlet.webxml.Layers;
import dev.serval.servlet.webxml.Ordering;
import dev.serval.servlet.webxml.WebXml;
import dev.serval.servlet.webxml.XmlReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Reads what the files of an application declare: web.xml, the fragments in their order, and the
/// annotations. May be used for several applications, one after the other, by one thread. It keeps
/// the schemas that it has loaded, some megabytes, and should be dropped after the start.
public final class AppReader {
    private static final String WEB_XML = "WEB-INF/web.xml";

    private final AnnotationScan scan;
    private final DescriptorCheck check;

    /// Creates a reader.
    ///
    /// @param scan scans class files
    /// @param cache keeps which descriptors have been checked against their schema
    public AppReader(AnnotationScan scan, ScanCache cache) {
        this.scan = scan;
        check = new DescriptorCheck(new DescriptorSchemas(), cache);
    }

    /// Reads an application.
    ///
    /// @throws DescriptorException if a descriptor or an annotation is wrong; the message begins
    ///     with file, line and column
    /// @throws IOException if a file cannot be read
    public AssembledApp read(AppSource source) throws DescriptorException, IOException {
        List<String> warnings = new ArrayList<>();
        byte @Nullable [] bytes = source.file(WEB_XML, XmlReader.MAX_BYTES + 1);
        Declarations web =
                bytes == null
                        ? Declarations.of(new Origin(WEB_XML, 0, 0))
                        : descriptor(bytes, WEB_XML, WebXml.WEB_APP, warnings);
        FragmentOrder.Result order =
                FragmentOrder.of(fragments(source, web, warnings), web.head.ordering());
        List<ClassFiles> jars = order.fragments().stream().map(Fragment::jar).toList();
        List<ClassFiles> excluded = order.excluded().stream().map(Fragment::jar).toList();
        AppClasses classes = new AppClasses(scan, source.classes(), jars);
        if (web.head.complete()) {
            AppDraft draft = Assembly.of(new Layers<>(web, List.of(), List.of()));
            return new AssembledApp(draft, jars, excluded, order.ordered(), classes, warnings);
        }
        Annotations annotations = new Annotations(scan);
        annotations.read(classes, order.fragments());
        List<Declarations> descriptors = new ArrayList<>();
        descriptors.add(web);
        for (Fragment fragment : order.fragments()) {
            if (fragment.declared() != null) {
                descriptors.add(fragment.declared());
            }
        }
        annotations.readExcluded(excluded, descriptors);
        List<Declarations> annotated = annotations.matching(descriptors);
        AppDraft draft =
                Assembly.of(
                        new Layers<>(web, descriptors.subList(1, descriptors.size()), annotated));
        annotations.complete(draft);
        warnings.addAll(annotations.warnings());
        return new AssembledApp(draft, jars, excluded, order.ordered(), classes, warnings);
    }

    private Declarations descriptor(byte[] bytes, String file, String kind, List<String> warnings)
            throws DescriptorException {
        Declarations declared = WebXml.read(bytes, file, kind);
        warnings.addAll(declared.warnings);
        warnings.addAll(check.check(bytes, file, kind, declared.head.version()));
        return declared;
    }

    /// Returns the jars with their fragments. A complete web.xml makes fragments void, but an
    /// absolute ordering still needs their names, to exclude jars (§8.2.2).
    private List<Fragment> fragments(AppSource source, Declarations web, List<String> warnings)
            throws DescriptorException, IOException {
        boolean ignored =
                web.head.complete() && !(web.head.ordering() instanceof Ordering.Absolute);
        List<Fragment> fragments = new ArrayList<>();
        for (ClassFiles jar : source.jars()) {
            byte @Nullable [] bytes =
                    ignored ? null : jar.file(Fragment.PATH, XmlReader.MAX_BYTES + 1);
            String file = jar.name() + "!/" + Fragment.PATH;
            fragments.add(
                    new Fragment(
                            jar,
                            bytes == null
                                    ? null
                                    : descriptor(bytes, file, WebXml.WEB_FRAGMENT, warnings)));
        }
        return fragments;
    }
}
