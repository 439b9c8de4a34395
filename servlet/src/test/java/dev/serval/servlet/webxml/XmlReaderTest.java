package dev.serval.servlet.webxml;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.serval.servlet.assembly.FakeApp;
import dev.serval.servlet.descriptor.DescriptorException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Descriptors as XML: places, limits, and nothing read from elsewhere.
final class XmlReaderTest {
    private static final String BOMB =
            """
            <!DOCTYPE web-app [
              <!ENTITY a "aaaaaaaaaa">
              <!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">
              <!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;&b;&b;">
            ]>
            <web-app><display-name>&c;</display-name></web-app>\
            """;

    @Test
    void knowsWhereElementsBegin() throws DescriptorException {
        XmlElement root =
                read(
                        "<a>\n  <b>x</b><c\n  d='e'/>\n<!-- no --><?pi?><f><![CDATA[<]]>&amp;y</f></a>");

        assertThat(root.children())
                .extracting(child -> child.name() + " " + child.origin())
                .containsExactly("b w.xml:2:3", "c w.xml:2:11", "f w.xml:4:18");
        assertThat(root.children().get(1).attributes()).containsEntry("d", "e");
        assertThat(root.children().get(2).value()).isEqualTo("<&y");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<a>x&amp;<b/></a>",
                "<a>&#65;<b/></a>",
                "<a>x<![CDATA[x]]><b/></a>",
                "<a>x<!--<c/>--><b/></a>",
                "<a>x<b\r\nc='1'\r\n/></a>",
                "<a>ä𝄞<b/></a>",
                "<?xml version='1.0' encoding='UTF-8'?> <b/>"
            })
    void knowsColumnAfterAnything(String document) throws DescriptorException {
        XmlElement root = read(document);
        XmlElement b = root.name().equals("b") ? root : root.children().getFirst();

        assertThat(b.origin().line()).isEqualTo(1);
        assertThat(b.origin().column()).isEqualTo(document.indexOf("<b") + 1);
    }

    @Test
    void readsEncodingOfDocument() throws DescriptorException {
        byte[] bytes =
                "<?xml version='1.0' encoding='ISO-8859-1'?><a>ä</a>"
                        .getBytes(StandardCharsets.ISO_8859_1);

        assertThat(XmlReader.read(bytes, "w.xml").root().value()).isEqualTo("ä");
    }

    @Test
    void refusesEntities() {
        assertThatThrownBy(() -> read(BOMB))
                .isInstanceOf(DescriptorException.class)
                .hasMessageStartingWith("w.xml:6")
                .hasMessageContaining("\"c\"");
        assertThatThrownBy(() -> read("<!DOCTYPE a [<!ENTITY x 'y'>]><a b='&x;'/>"))
                .isInstanceOf(DescriptorException.class);
        assertThatThrownBy(() -> read("<a>&nbsp;</a>")).isInstanceOf(DescriptorException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "<!DOCTYPE a [<!ENTITY x SYSTEM '%s'>]><a>&x;</a>",
                "<!DOCTYPE a [<!ENTITY %% x SYSTEM '%s'> %%x;]><a>&secret;</a>",
                "<!DOCTYPE a SYSTEM '%s'><a>&secret;</a>"
            })
    void readsNoOtherFile(String document, @TempDir Path folder) throws IOException {
        Path file = folder.resolve("secret.dtd");
        Files.writeString(file, "<!ENTITY secret 'disclosed'>");

        assertThatThrownBy(() -> read(document.formatted(file.toUri())))
                .isInstanceOf(DescriptorException.class)
                .hasMessageNotContaining("disclosed");
    }

    @Test
    void opensNoConnection() throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String url = "http://127.0.0.1:" + server.getLocalPort() + "/web-app_6_1.xsd";
            String xml =
                    """
                    <!DOCTYPE web-app SYSTEM "%1$s">
                    <web-app xmlns="https://jakarta.ee/xml/ns/jakartaee" version="6.1"
                        xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"
                        xsi:schemaLocation="https://jakarta.ee/xml/ns/jakartaee %1$s http://other %1$s"/>
                    """
                            .formatted(url);
            FakeApp app = new FakeApp().webXml(xml);
            try {
                assertThat(app.draft().servlets()).isEmpty();
            } catch (DescriptorException refused) {
                assertThat(refused).hasMessageContaining("web.xml");
            }

            server.setSoTimeout(1);
            assertThatThrownBy(server::accept).isInstanceOf(SocketTimeoutException.class);
        }
    }

    @Test
    void refusesDepthAboveLimit() throws DescriptorException {
        assertThat(read("<a>".repeat(16) + "</a>".repeat(16)).name()).isEqualTo("a");
        assertThatThrownBy(() -> read("<a>".repeat(17) + "</a>".repeat(17)))
                .hasMessage(
                        "w.xml:1:49: The elements are nested too deeply. Make the descriptor flatter.");
    }

    @Test
    void refusesElementsAboveLimit() throws DescriptorException {
        assertThat(read("<a>" + "<b/>".repeat(199_999) + "</a>").children()).hasSize(199_999);
        assertThatThrownBy(() -> read("<a>" + "<b/>".repeat(200_000) + "</a>"))
                .hasMessageContaining("more than 200000 elements");
    }

    @Test
    void refusesSizeAboveLimit() throws DescriptorException {
        String frame = "<a></a>";
        String full = " ".repeat(XmlReader.MAX_BYTES - frame.length());
        assertThat(read("<a>" + full + "</a>").value()).isEmpty();
        assertThatThrownBy(() -> read("<a> " + full + "</a>"))
                .hasMessageStartingWith("w.xml: The descriptor is larger than 8388608 bytes.");
    }

    private static XmlElement read(String document) throws DescriptorException {
        return XmlReader.read(document.getBytes(StandardCharsets.UTF_8), "w.xml").root();
    }
}
