package dev.serval.bench.shop;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// A page of the shop as a browser sees it: its links, images and forms. Reads the HTML that the shop
/// writes, not any HTML. Immutable.
final class ShopPage {
    private static final int IMAGES_MAX = 100;
    private static final String END = "</html>";

    private final String html;

    ShopPage(String html) {
        this.html = html;
    }

    /// Returns whether the page has these characters.
    boolean has(String text) {
        return html.contains(text);
    }

    /// Returns whether the page is complete.
    boolean isComplete() {
        int end = html.length();
        while (end > 0 && Character.isWhitespace(html.charAt(end - 1))) {
            end--; // without a copy of the page
        }
        return html.startsWith(END, end - END.length());
    }

    /// Returns the addresses of what the browser must have to show the page, each once.
    Set<String> images() {
        Set<String> images = new LinkedHashSet<>();
        images.addAll(values("<link rel=\"stylesheet\" href=\"", IMAGES_MAX));
        images.addAll(values("<link rel=\"icon\" type=\"image/svg+xml\" href=\"", IMAGES_MAX));
        images.addAll(values(" src=\"", IMAGES_MAX));
        return images;
    }

    /// Returns the numbers of the books that the page links to.
    List<String> books() {
        return values("/book?id=", IMAGES_MAX);
    }

    /// Returns the texts between these characters and the next quote.
    List<String> values(String before, int most) {
        return texts(before, "\"", most);
    }

    /// Returns the texts between these two, without the escapes of HTML.
    List<String> texts(String before, String after, int most) {
        List<String> found = new ArrayList<>();
        int at = html.indexOf(before);
        while (at >= 0 && found.size() < most) {
            int from = at + before.length();
            int to = html.indexOf(after, from);
            if (to < 0) {
                break;
            }
            found.add(plain(html.substring(from, to)));
            at = html.indexOf(before, to);
        }
        return found;
    }

    /// Returns the heading of the page and what it says of wrong fields, each after a comma.
    String summary() {
        List<String> shown = new ArrayList<>(texts("<h1>", "</h1>", 1));
        shown.addAll(texts("-error\">", "</span>", IMAGES_MAX));
        return shown.isEmpty() ? "" : ", " + String.join(", ", shown);
    }

    /// Returns what a browser sends of the first form with this action, before anything is typed: by
    /// their names, the values of its inputs and the first choices.
    ///
    /// @param part characters in the form, to tell it from others with the same action
    /// @return empty if there is no such form
    Map<String, String> form(String action, String part) {
        String tag = "action=\"" + action + "\">";
        for (int at = html.indexOf(tag); at >= 0; at = html.indexOf(tag, at + 1)) {
            String form = html.substring(at, Math.max(at, html.indexOf("</form>", at)));
            if (form.contains(part)) {
                Map<String, String> fields = inputs(form, "<input ");
                addChoice(form, fields);
                return fields;
            }
        }
        return Map.of();
    }

    /// Returns the values of the inputs that are outside of their form and name its id.
    Map<String, String> inputsOf(String formId) {
        return inputs(html, "<input form=\"" + formId + "\"");
    }

    /// Returns the values of the inputs whose tags begin so, by their names.
    private static Map<String, String> inputs(String html, String tag) {
        Map<String, String> fields = new LinkedHashMap<>();
        for (int at = html.indexOf(tag); at >= 0; at = html.indexOf(tag, at + 1)) {
            String input = html.substring(at, Math.max(at, html.indexOf('>', at)));
            fields.put(attribute(input, "name"), attribute(input, "value"));
        }
        return fields;
    }

    private static void addChoice(String form, Map<String, String> fields) {
        int select = form.indexOf("<select ");
        int option = form.indexOf("<option", select);
        if (select >= 0 && option >= 0) {
            String name = attribute(form.substring(select, form.indexOf('>', select)), "name");
            int from = form.indexOf('>', option) + 1;
            fields.put(name, plain(form.substring(from, form.indexOf('<', from))));
        }
    }

    private static String attribute(String tag, String name) {
        String before = " " + name + "=\"";
        int at = tag.indexOf(before);
        if (at < 0) {
            return "";
        }
        int from = at + before.length();
        int to = tag.indexOf('"', from);
        return to < 0 ? "" : plain(tag.substring(from, to));
    }

    private static String plain(String escaped) {
        if (escaped.indexOf('&') < 0) {
            return escaped;
        }
        return escaped.replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&#34;", "\"")
                .replace("&#39;", "'")
                .replace("&amp;", "&");
    }
}
