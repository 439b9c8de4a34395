package dev.serval.bench.servlet;

import dev.serval.bench.peer.BenchFailure;
import dev.serval.bench.peer.Site;
import dev.serval.bench.war.Item;
import dev.serval.bench.war.Letters;
import dev.serval.bench.war.Line;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A request to a servlet of package `war`, and the answer that is expected.
///
/// @param size of the body: bytes, or the number of parameters of [Body#PARAMETERS]; 0 without a
///     body
public record Request(String path, Body body, int size, Answer answer) {
    private static final int SESSION_BYTES = 10;
    private static final int ROWS = 100;

    private static final Pattern ID = Pattern.compile("\"id\":(\\d{5}),");

    /// The shortest form that has a complete field.
    private static final int SIZE_MIN = 50;

    /// The content of a request.
    public enum Body {
        /// None: a GET.
        NONE,
        /// A form of some fields, with escapes.
        FORM,
        /// A form of many short fields.
        PARAMETERS,
        /// A JSON text.
        JSON
    }

    /// The content of an answer.
    public enum Answer {
        /// 13 bytes.
        HELLO,
        /// The number of parameters, and their length.
        SUM,
        /// The content of the request.
        ECHO,
        /// The number of the request in its session, with ten digits.
        COUNT,
        /// 35 KB of letters.
        PIECES,
        /// A page with a table of 100 lines.
        ROWS,
        /// 13 bytes, for users that log in by BASIC.
        MEMBERS,
        /// 93 bytes.
        LINE,
        /// A page that names the method and the path.
        SIMPLE,
        /// A random row as JSON.
        ITEM,
        /// The length of the content of the request.
        LENGTH
    }

    /// Rejects a body that cannot be made.
    public Request {
        boolean sized =
                switch (body) {
                    case NONE -> size == 0;
                    case FORM, JSON -> size >= SIZE_MIN;
                    case PARAMETERS -> size >= 1 && size <= 1000;
                };
        BenchFailure.require(sized, path + ": size " + size + " is not possible for " + body);
    }

    /// Returns the method.
    public String method() {
        return body == Body.NONE ? "GET" : "POST";
    }

    /// Returns the content type, or an empty text for a GET.
    public String type() {
        return switch (body) {
            case NONE -> "";
            case FORM, PARAMETERS -> "application/x-www-form-urlencoded";
            case JSON -> "application/json";
        };
    }

    /// Returns whether a client keeps a cookie, so that its requests belong to a session.
    public boolean session() {
        return answer == Answer.COUNT;
    }

    /// Returns whether a path is all that the request has.
    public boolean isPlain() {
        return body == Body.NONE && !session() && !loggedIn();
    }

    /// Returns whether the request has the name and password of a user.
    public boolean loggedIn() {
        return answer == Answer.MEMBERS;
    }

    /// Returns whether the servlet uses more than the Servlet API, which WEB-INF/lib must have.
    public boolean needsLibraries() {
        return answer == Answer.ITEM;
    }

    /// Returns what an answer must be: the expected one, or of a random row that with its id.
    public byte[] right(byte[] given) {
        Matcher id = ID.matcher(new String(given, StandardCharsets.US_ASCII));
        return answer == Answer.ITEM && id.find()
                ? Item.of(Integer.parseInt(id.group(1))).json().getBytes(StandardCharsets.US_ASCII)
                : expected();
    }

    /// Returns the answer [Answer#COUNT] to the request of this number in its session.
    public static String counted(int number) {
        return String.format(Locale.ROOT, "%010d", number);
    }

    /// Returns the content that the request sends.
    public byte[] content() {
        String text =
                switch (body) {
                    case NONE -> "";
                    case FORM -> form();
                    case PARAMETERS -> parameters();
                    case JSON -> json();
                };
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /// Returns the expected answer. The answers of a session and of random rows differ, and only the
    /// length is right.
    public byte[] expected() {
        return switch (answer) {
            case HELLO, MEMBERS -> "Hello, World!".getBytes(StandardCharsets.US_ASCII);
            case ROWS -> rows().getBytes(StandardCharsets.US_ASCII);
            case SUM -> sum().getBytes(StandardCharsets.US_ASCII);
            case ECHO -> content();
            case LENGTH -> String.valueOf(content().length).getBytes(StandardCharsets.US_ASCII);
            case COUNT -> new byte[SESSION_BYTES];
            case PIECES -> Letters.bytes();
            case LINE -> Line.TEXT.getBytes(StandardCharsets.US_ASCII);
            case SIMPLE -> simple().getBytes(StandardCharsets.US_ASCII);
            case ITEM -> Item.of(Item.FIRST).json().getBytes(StandardCharsets.US_ASCII);
        };
    }

    /// Returns the expected answer as a page.
    public Site.Page page() {
        byte[] expected = expected();
        return new Site.Page(path, expected.length, Site.digest(expected));
    }

    private String form() {
        StringBuilder form = new StringBuilder();
        for (int field = 0; form.length() + SIZE_MIN <= size; field++) {
            form.append("field").append(field).append("=some+words%2C+two+escapes%21&");
        }
        form.append("rest=");
        return form.append("x".repeat(size - form.length())).toString();
    }

    private String parameters() {
        StringBuilder form = new StringBuilder();
        for (int i = 0; i < size; i++) {
            form.append(i == 0 ? "" : "&").append('p').append(i).append("=v").append(i);
        }
        return form.toString();
    }

    private String json() {
        StringBuilder json = new StringBuilder("{\"items\":[");
        for (int item = 0; json.length() + SIZE_MIN <= size; item++) {
            json.append("{\"id\":").append(item).append(",\"name\":\"an item\"},");
        }
        String end = "\"\"]}";
        String filling = "x".repeat(size - json.length() - end.length());
        return json.append('"').append(filling).append(end, 1, end.length()).toString();
    }

    private String sum() {
        int count = 0;
        int length = 0;
        for (String pair : new String(content(), StandardCharsets.US_ASCII).split("&", -1)) {
            count++;
            length += URLDecoder.decode(pair, StandardCharsets.US_ASCII).length() - 1;
        }
        return count + " parameters, " + length + " characters";
    }

    /// Returns what simple.jsp answers.
    private String simple() {
        return """
        <!DOCTYPE html>
        <html><head><title>Welcome</title></head><body>
        <p>You sent GET for %s.</p>
        </body></html>
        """
                .formatted(path);
    }

    /// Returns what rows.jsp and TableServlet make of the rows of RowsServlet.
    private static String rows() {
        StringBuilder page = new StringBuilder("<!DOCTYPE html>\n");
        page.append("<html><head><title>Stock</title></head><body><table>\n");
        for (int number = 1; number <= ROWS; number++) {
            int price = number * 3;
            int count = number % 10 + 1;
            page.append("<tr><td>").append(number).append("</td><td>article ").append(number);
            page.append("</td><td>").append(price).append("</td><td>").append(price * count);
            page.append("</td><td>").append(count > 5 ? "many" : "few").append("</td></tr>\n");
        }
        return page.append("</table></body></html>\n").toString();
    }
}
