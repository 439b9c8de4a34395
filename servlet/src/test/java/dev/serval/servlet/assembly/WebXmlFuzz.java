package dev.serval.servlet.assembly;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.api.FuzzedDataProvider;
import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.serval.servlet.descriptor.AppDescription;
import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.descriptor.FilterDescription;
import dev.serval.servlet.descriptor.FilterMapping;
import dev.serval.servlet.descriptor.ServletDescription;
import dev.serval.servlet.webxml.Declarations;
import dev.serval.servlet.webxml.Layers;
import dev.serval.servlet.webxml.WebXml;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Any bytes as web.xml, and any two fragments: a description or a refusal with the file's name. A
/// description is consistent.
final class WebXmlFuzz {
    private static final List<String> PIECES =
            List.of(
                    "<servlet><servlet-name>",
                    "</servlet-name><servlet-class>",
                    "</servlet-class></servlet>",
                    "<servlet-mapping><servlet-name>",
                    "</servlet-name><url-pattern>",
                    "</url-pattern></servlet-mapping>",
                    "<filter><filter-name>a</filter-name><filter-class>F</filter-class></filter>",
                    "<filter-mapping><filter-name>a</filter-name><url-pattern>/",
                    "</url-pattern></filter-mapping>",
                    "<name>a</name>",
                    "<ordering><after><others/></after></ordering>",
                    "<ordering><before><name>a</name></before></ordering>",
                    "<absolute-ordering><name>a</name></absolute-ordering>",
                    "<session-config><session-timeout>1</session-timeout></session-config>",
                    "a",
                    "/*");

    @FuzzTest(maxDuration = "20s")
    void anyBytes(byte[] bytes) {
        try {
            Declarations declared = WebXml.read(bytes, "w.xml", WebXml.WEB_APP);
            check(Assembly.of(new Layers<>(declared, List.of(), List.of())).freeze());
        } catch (DescriptorException refused) {
            assertThat(refused).hasMessageStartingWith("w.xml");
        }
    }

    @FuzzTest(maxDuration = "20s")
    void anyElements(FuzzedDataProvider data) throws IOException {
        FakeApp app = new FakeApp().webXml("<web-app>" + pieces(data) + "</web-app>");
        for (String jar : List.of("one", "two")) {
            app.jar(jar)
                    .with(
                            Fragment.PATH,
                            ("<web-fragment>" + pieces(data) + "</web-fragment>")
                                    .getBytes(StandardCharsets.UTF_8));
        }
        try {
            check(app.description());
        } catch (DescriptorException refused) {
            assertThat(refused).hasMessageStartingWith("WEB-INF/");
        }
    }

    private static String pieces(FuzzedDataProvider data) {
        StringBuilder pieces = new StringBuilder();
        int count = data.consumeInt(0, 12);
        for (int i = 0; i < count; i++) {
            pieces.append(PIECES.get(data.consumeInt(0, PIECES.size() - 1)));
        }
        return pieces.toString();
    }

    private static void check(AppDescription app) {
        Set<String> patterns = new HashSet<>();
        for (ServletDescription servlet : app.servlets()) {
            for (String pattern : servlet.urlPatterns()) {
                assertThat(patterns.add(pattern)).isTrue();
                assertThat(pattern).doesNotContain("\n", "\r");
            }
        }
        for (FilterMapping mapping : app.filterMappings()) {
            assertThat(app.filters())
                    .extracting(FilterDescription::name)
                    .contains(mapping.filter());
        }
    }
}
