package dev.serval.examples.shop.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/// Rules for the sources of the pages, which must hold for each new page too.
final class PagesTest {
    private static final Path WEB = Path.of("src/main/webapp");

    private static Map<String, String> pages() throws IOException {
        Map<String, String> pages = new TreeMap<>();
        try (Stream<Path> files = Files.list(WEB.resolve("WEB-INF/pages"))) {
            files.forEach(file -> {
                try {
                    pages.put(String.valueOf(file.getFileName()), Files.readString(file));
                } catch (IOException e) {
                    throw new UncheckedIOException(e);
                }
            });
        }
        return pages;
    }

    private static Document descriptor() throws Exception {
        return DocumentBuilderFactory.newDefaultInstance()
                .newDocumentBuilder()
                .parse(new File("src/main/webapp/WEB-INF/web.xml"));
    }

    private static List<String> texts(Element parent, String name) {
        List<String> texts = new ArrayList<>();
        NodeList found = parent.getElementsByTagName(name);
        for (int i = 0; i < found.getLength(); i++) {
            texts.add(found.item(i).getTextContent());
        }
        return texts;
    }

    /// A value in the text of a page goes through a function that makes it safe. Tags of JSTL use
    /// values only as conditions and lists.
    @Test
    void everyValueIsEscaped() throws Exception {
        Pattern value = Pattern.compile("\\$\\{(?!s:\\w+\\(|base})[^}]*}");
        List<String> found = new ArrayList<>();
        pages().forEach((name, text) -> {
            String html = text.replaceAll("</?c:(?:\"[^\"]*\"|[^>\"])*>", "");
            Matcher matcher = value.matcher(html);
            while (matcher.find()) {
                found.add(name + ": " + matcher.group());
            }
        });
        assertThat(found).isEmpty();
        assertThat(pages().get("head.jspf")).contains("var=\"base\" value=\"${s:text(");
    }

    @Test
    void noPageHasAScriptOrAStyleOrJava() throws Exception {
        pages().forEach((name, text) -> {
            assertThat(text).as(name).doesNotContain("<script", "style=", "<%=", "<%!", "c:out");
            assertThat(text).as(name).doesNotContainPattern("<%[^@]");
            assertThat(text).as(name).doesNotContainPattern("\\son\\w+=");
            assertThat(text).as(name).doesNotContain("#{");
        });
    }

    @Test
    void everyFormThatChangesSomethingHasTheToken() throws Exception {
        Pattern form = Pattern.compile("<form[^>]*method=\"post\".*?</form>", Pattern.DOTALL);
        int forms = 0;
        for (Map.Entry<String, String> page : pages().entrySet()) {
            Matcher matcher = form.matcher(page.getValue());
            while (matcher.find()) {
                assertThat(matcher.group())
                        .as(page.getKey())
                        .contains("name=\"token\" value=\"${s:text(token)}\"");
                forms++;
            }
        }
        assertThat(forms).isGreaterThan(6);
    }

    @Test
    void guardStandsBeforeEveryServletThatTakesForms() throws Exception {
        Element root = descriptor().getDocumentElement();
        Element guard = (Element) root.getElementsByTagName("filter-mapping").item(0);
        Set<String> guarded = new TreeSet<>(texts(guard, "url-pattern"));
        Map<String, String> classes = new TreeMap<>();
        NodeList servlets = root.getElementsByTagName("servlet");
        for (int i = 0; i < servlets.getLength(); i++) {
            Element servlet = (Element) servlets.item(i);
            classes.put(
                    texts(servlet, "servlet-name").getFirst(),
                    texts(servlet, "servlet-class").getFirst());
        }
        Set<String> taking = new TreeSet<>();
        NodeList mappings = root.getElementsByTagName("servlet-mapping");
        for (int i = 0; i < mappings.getLength(); i++) {
            Element mapping = (Element) mappings.item(i);
            Class<?> type = Class.forName(classes.get(texts(mapping, "servlet-name").getFirst()));
            if (Stream.of(type.getDeclaredMethods())
                    .anyMatch(
                            method -> method.getName().matches("doPost|doPut|doDelete|service"))) {
                taking.addAll(texts(mapping, "url-pattern"));
            }
        }
        assertThat(guarded).isEqualTo(taking).hasSize(6);
    }
}
