package dev.serval.servlet.assembly;

import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.NamingDescription.Reference;
import dev.serval.servlet.descriptor.Origin;
import dev.serval.servlet.scan.AnnotationFacts;
import dev.serval.servlet.scan.ClassFacts;
import dev.serval.servlet.webxml.Declarations;
import dev.serval.servlet.webxml.NamingElements;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Turns `@DataSourceDefinition` into what the element data-source of a descriptor declares (Servlet
/// 6.1 §15.5.16, Jakarta Annotations 3.0 §2.13). Stateless.
final class AnnotatedSources {
    private static final String ONE = "jakarta.annotation.sql.DataSourceDefinition";
    private static final String SEVERAL = "jakarta.annotation.sql.DataSourceDefinitions";

    /// The elements of the annotation, with that of the descriptor for each.
    private static final Map<String, String> ELEMENTS =
            Map.of(
                    "className", "class-name",
                    "url", "url",
                    "user", "user",
                    "password", "password",
                    "databaseName", "database-name",
                    "serverName", "server-name",
                    "portNumber", "port-number",
                    "minPoolSize", "min-pool-size",
                    "maxPoolSize", "max-pool-size",
                    "maxIdleTime", "max-idle-time");

    /// The levels of `java.sql.Connection` by their number.
    private static final Map<String, String> ISOLATIONS =
            Map.of(
                    "1", "TRANSACTION_READ_UNCOMMITTED",
                    "2", "TRANSACTION_READ_COMMITTED",
                    "4", "TRANSACTION_REPEATABLE_READ",
                    "8", "TRANSACTION_SERIALIZABLE");

    private AnnotatedSources() {}

    /// Adds the data sources that a class declares.
    ///
    /// @throws DescriptorException if one is wrong, or two classes declare one name
    static void add(ClassFacts facts, Declarations declared) throws DescriptorException {
        List<AnnotationFacts> definitions = new ArrayList<>();
        @Nullable AnnotationFacts one = facts.annotation(ONE);
        if (one != null) {
            definitions.add(one);
        }
        @Nullable AnnotationFacts several = facts.annotation(SEVERAL);
        if (several != null) {
            definitions.addAll(several.annotations("value"));
        }
        for (AnnotationFacts definition : definitions) {
            add(definition, AnnotatedComponents.origin(facts), declared);
        }
    }

    private static void add(AnnotationFacts definition, Origin origin, Declarations declared)
            throws DescriptorException {
        String name = definition.text("name", "");
        Reference reference =
                new Reference(
                        NamingElements.DATA_SOURCE,
                        name,
                        values(definition, name, origin),
                        List.of(),
                        origin);
        String key = NamingElements.DATA_SOURCE + " " + name;
        if (!declared.naming.references.add(key, reference, origin)) {
            throw new DescriptorException(
                    origin,
                    "The data source \"%s\" is declared by another class, too. Remove one."
                            .formatted(name));
        }
    }

    private static Map<String, String> values(
            AnnotationFacts definition, String name, Origin origin) throws DescriptorException {
        Map<String, String> values = new LinkedHashMap<>();
        ELEMENTS.forEach((element, key) -> {
            @Nullable String text = definition.text(element);
            if (text != null && !text.isEmpty()) {
                values.put(key, text);
            }
        });
        @Nullable String isolation = definition.text("isolationLevel");
        if (isolation != null && !isolation.equals("-1")) {
            values.put("isolation-level", ISOLATIONS.getOrDefault(isolation, isolation));
        }
        for (String property : definition.texts("properties")) {
            int equals = property.indexOf('=');
            if (equals < 1) {
                throw new DescriptorException(
                        origin,
                        "The data source \"%s\" has a property without \"=\". Write name=value."
                                .formatted(name));
            }
            values.put(
                    Reference.PROPERTY + property.substring(0, equals).strip(),
                    property.substring(equals + 1).strip());
        }
        return values;
    }
}
