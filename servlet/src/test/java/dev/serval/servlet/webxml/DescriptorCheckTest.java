package dev.serval.servlet.webxml;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.servlet.descriptor.DescriptorException;
import dev.serval.servlet.scan.ScanCache;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The check against the schemas of the API's jar, and its cache.
final class DescriptorCheckTest {
    private static final DescriptorVersion NEWEST = new DescriptorVersion(6, 1, true);

    private final Map<String, byte[]> cached = new HashMap<>();
    private final DescriptorCheck check =
            new DescriptorCheck(
                    new DescriptorSchemas(),
                    new ScanCache() {
                        @Override
                        public byte @Nullable [] read(String key) {
                            return cached.get(key);
                        }

                        @Override
                        public void write(String key, byte[] value) {
                            cached.put(key, value);
                        }
                    });

    @ParameterizedTest(name = "the schema of {0} {1}.{2} and all that it includes are in the jar")
    @CsvSource({
        "web-app,3,0,http://java.sun.com/xml/ns/javaee",
        "web-app,3,1,http://xmlns.jcp.org/xml/ns/javaee",
        "web-app,4,0,http://xmlns.jcp.org/xml/ns/javaee",
        "web-app,5,0,https://jakarta.ee/xml/ns/jakartaee",
        "web-app,6,0,https://jakarta.ee/xml/ns/jakartaee",
        "web-app,6,1,https://jakarta.ee/xml/ns/jakartaee",
        "web-fragment,3,0,http://java.sun.com/xml/ns/javaee",
        "web-fragment,3,1,http://xmlns.jcp.org/xml/ns/javaee",
        "web-fragment,4,0,http://xmlns.jcp.org/xml/ns/javaee",
        "web-fragment,5,0,https://jakarta.ee/xml/ns/jakartaee",
        "web-fragment,6,0,https://jakarta.ee/xml/ns/jakartaee",
        "web-fragment,6,1,https://jakarta.ee/xml/ns/jakartaee"
    })
    void findsEverySchema(String root, int major, int minor, String namespace)
            throws DescriptorException {
        DescriptorVersion version = new DescriptorVersion(major, minor, true);
        String document = "<%s xmlns='%s' version='%d.%d'>%s</%s>";
        String right = "<display-name xml:lang='en'>a</display-name>";
        String wrong = "<listener/>";

        check.check(
                bytes(document.formatted(root, namespace, major, minor, right, root)),
                "d.xml",
                root,
                version);
        byte[] odd = bytes(document.formatted(root, namespace, major, minor, wrong, root));
        assertThat(check.check(odd, "d.xml", root, version))
                .singleElement()
                .asString()
                .startsWith("d.xml:1:")
                .contains("The content of element 'listener' is not complete.")
                .doesNotContain("http")
                .doesNotContain("cvc-");
    }

    @Test
    void warnsOfElementsInAnotherPlace() throws DescriptorException {
        String document =
                "<web-app xmlns='https://jakarta.ee/xml/ns/jakartaee' version='6.1'>"
                        + "<session-config><tracking-mode>COOKIE</tracking-mode>"
                        + "<cookie-config/></session-config></web-app>";
        for (int i = 0; i < 2; i++) { // again at each start
            assertThat(check.check(bytes(document), "d.xml", "web-app", NEWEST))
                    .singleElement()
                    .asString()
                    .startsWith("d.xml:1:")
                    .contains("<cookie-config> is in another place than web-app_6_1.xsd allows");
        }
        byte[] value = bytes(document.replace("COOKIE", "BISCUIT"));
        assertThat(check.check(value, "d.xml", "web-app", NEWEST))
                .hasSize(2) // one for each place
                .first()
                .asString()
                .contains("BISCUIT");
    }

    @Test
    void keepsOnlyWhatFollowsItsSchema() throws DescriptorException {
        byte[] wrong = bytes("<wrong/>");
        assertThat(check.check(wrong, "d.xml", "web-app", NEWEST)).hasSize(1);
        assertThat(cached).isEmpty();

        byte[] right =
                bytes("<web-app xmlns='https://jakarta.ee/xml/ns/jakartaee' version='6.1'/>");
        check.check(right, "d.xml", "web-app", NEWEST);
        assertThat(cached).hasSize(1);

        assertThat(cached.keySet()).allMatch(key -> key.matches("descriptor-1-[0-9a-f]{64}"));
    }

    @Test
    void doesNotCheckKnownContentAgain() throws DescriptorException {
        byte[] right =
                bytes("<web-app xmlns='https://jakarta.ee/xml/ns/jakartaee' version='6.1'/>");
        check.check(right, "d.xml", "web-app", NEWEST);

        // There would be a warning of the content as a fragment if it were checked.
        assertThat(check.check(right, "d.xml", "web-fragment", NEWEST)).isEmpty();
        cached.clear();
        assertThat(check.check(right, "d.xml", "web-fragment", NEWEST)).hasSize(1);
    }

    @Test
    void doesNotCheckOldVersions() throws DescriptorException {
        check.check(bytes("<wrong/>"), "d.xml", "web-app", new DescriptorVersion(2, 5, false));

        assertThat(cached).isEmpty();
    }

    private static byte[] bytes(String document) {
        return document.getBytes(StandardCharsets.UTF_8);
    }
}
