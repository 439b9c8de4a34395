package dev.serval.http1;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.policy.Leniency;
import dev.serval.policy.Limits;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Checks the rules of RFC 9110 and RFC 9112 for request heads. Each row is read whole and at every
/// cut.
final class RequestParserRulesTest {
    private static final String HOST = "Host: h\n";

    @ParameterizedTest(name = "{0}")
    @MethodSource({
        "lines",
        "versions",
        "methods",
        "targets",
        "encodings",
        "otherForms",
        "fields",
        "hosts",
        "hostNames",
        "badHostNames",
        "ports",
        "framing",
        "codings",
        "connections"
    })
    void rule(Rule rule) {
        HeadReader reader = new HeadReader(Limits.Heads.DEFAULT, Leniency.defaults());
        String result = Cuts.read(Cuts.bytes(rule.sample()), reader);
        if (rule.expected().matches("[45]\\d\\d")) {
            assertThat(result).startsWith(rule.expected()).contains("(");
        } else {
            assertThat(result).isEqualTo(rule.expected());
        }
    }

    static List<Rule> lines() {
        Rows rows = new Rows();
        rows.section("RFC 9112 §2.1")
                .head("a head ends with an empty line", "GET / HTTP/1.1\n" + HOST, "more")
                .head("nothing yet", "", "more")
                .head(
                        "bytes after it are not consumed",
                        "GET / HTTP/1.1\n" + HOST + "\nX",
                        "GET / @h");
        rows.section("RFC 9112 §2.2")
                .head(
                        "one empty line before the request",
                        "\nGET / HTTP/1.1\n" + HOST + "\n",
                        "GET / @h")
                .head("two empty lines before the request", "\n\nGET / HTTP/1.1\n", "400")
                .head("bare LF before the request", "↓GET / HTTP/1.1\n" + HOST + "\n", "400")
                .head("bare CR before the request", "←GET / HTTP/1.1\n" + HOST + "\n", "400")
                .head("bare LF ends the request line", "GET / HTTP/1.1↓" + HOST + "\n", "400")
                .head("bare LF ends a field", "GET / HTTP/1.1\nHost: h↓\n", "400")
                .head("bare LF ends the head", "GET / HTTP/1.1\n" + HOST + "↓", "400")
                .head("bare CR in the request line", "GET /←x HTTP/1.1\n" + HOST + "\n", "400")
                .head("bare CR in a value", "GET / HTTP/1.1\nHost: h\nA: b←c\n\n", "400")
                .head("CR CR LF", "GET / HTTP/1.1\nHost: h←\n\n", "400")
                .head("bare CR ends the head", "GET / HTTP/1.1\n" + HOST + "←x", "400")
                .head(
                        "white space before the first field",
                        "GET / HTTP/1.1\n X: y\n" + HOST + "\n",
                        "400");
        return rows.rules;
    }

    static List<Rule> versions() {
        Rows rows = new Rows();
        rows.section("RFC 9112 §2.3")
                .line("HTTP/1.1", "GET / HTTP/1.1", "GET / @h")
                .line("HTTP/1.0", "GET / HTTP/1.0", "GET / @h 1.0 close")
                .line("the name in lower case", "GET / http/1.1", "400")
                .line("mixed case", "GET / Http/1.1", "400")
                .line("another protocol", "GET / HTTQ/1.1", "400")
                .line("two digits of a minor version", "GET / HTTP/1.10", "400")
                .line("two digits of a major version", "GET / HTTP/11.1", "400")
                .line("no minor version", "GET / HTTP/1", "400")
                .line("a comma", "GET / HTTP/1,1", "400")
                .line("a letter", "GET / HTTP/1.x", "400")
                .line("white space inside", "GET / HTTP/ 1.1", "400")
                .line("HTTP/0.9 style, no version", "GET /", "400")
                .line("no version, long", "GET /a-target-that-is-long", "400");
        rows.section("RFC 9110 §2.5")
                .line("a later minor version is 1.1", "GET / HTTP/1.2", "GET / @h")
                .line("the last minor version is 1.1", "GET / HTTP/1.9", "GET / @h")
                .line("HTTP/2.0", "GET / HTTP/2.0", "505")
                .line("HTTP/3.0", "GET / HTTP/3.0", "505")
                .line("HTTP/0.9", "GET / HTTP/0.9", "505");
        rows.section("RFC 9112 §3")
                .line("two spaces before the target", "GET  / HTTP/1.1", "400")
                .line("two spaces before the version", "GET /  HTTP/1.1", "400")
                .line("a space at the end", "GET / HTTP/1.1 ", "400")
                .line("a space at the start", " GET / HTTP/1.1", "400")
                .line("HTAB between the parts", "GET\t/\tHTTP/1.1", "400")
                .line("HTAB before the version", "GET /\tHTTP/1.1", "400")
                .line("a space inside the target", "GET /a b HTTP/1.1", "400")
                .line("no target", "GET HTTP/1.1", "400")
                .line("no target, two spaces", "GET  HTTP/1.1", "400")
                .line("no method", "/ HTTP/1.1", "400")
                .line("one word", "GETTINGSTARTED", "400")
                .line("a NUL", "GET /\0 HTTP/1.1", "400")
                .line("DEL", "GET /\u007f HTTP/1.1", "400")
                .line("bytes of TLS", "\u0016\u0003\u0001\u0002\0\u0001\0\u0001\u00fc", "400");
        return rows.rules;
    }

    static List<Rule> methods() {
        Rows rows = new Rows();
        rows.section("RFC 9110 §9.1")
                .line("methods are case-sensitive", "get / HTTP/1.1", "get / @h")
                .line("an unknown method", "BREW /pot HTTP/1.1", "BREW /pot @h")
                .line("an unknown method of one letter", "A / HTTP/1.1", "A / @h")
                .line("a method that begins like GET", "GETX / HTTP/1.1", "GETX / @h")
                .line(
                        "every tchar",
                        "!#$%&'*+-.^_`|~09azAZ / HTTP/1.1",
                        "!#$%&'*+-.^_`|~09azAZ / @h")
                .line("the constant for unknown methods", "OTHER / HTTP/1.1", "OTHER / @h")
                .line("an unknown method with *", "BREW * HTTP/1.1", "400")
                .line("not a token", "G(T / HTTP/1.1", "400")
                .line("a colon", "GET: / HTTP/1.1", "400")
                .line("not ASCII", "G\u00cbT / HTTP/1.1", "400");
        rows.section("RFC 9110 §9.3");
        for (String method : List.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE")) {
            rows.line(method, method + " / HTTP/1.1", method + " / @h");
        }
        rows.section("RFC 5789 §2").line("PATCH", "PATCH / HTTP/1.1", "PATCH / @h");
        return rows.rules;
    }

    static List<Rule> targets() {
        Rows rows = new Rows();
        rows.section("RFC 9112 §3.2.1")
                .target("a path", "/a/b", "GET /a/b @h")
                .target("a query", "/a?b=c&d", "GET /a?b=c&d @h")
                .target("an empty query", "/a?", "GET /a? @h")
                .target("question marks and slashes in a query", "/?a?b/c", "GET /?a?b/c @h")
                .target(
                        "every character of a path",
                        "/-._~!$&'()*+,;=:@",
                        "GET /-._~!$&'()*+,;=:@ @h")
                .target("no slash", "a", "400")
                .target("only a query", "?a", "400")
                .target("a fragment", "/a#b", "400")
                .target("a fragment after a query", "/a?b#c", "400");
        rows.section("RFC 3986 §3.3");
        for (String b : List.of("[", "]", "|", "^")) {
            rows.target(
                    "allowed in a path because browsers send it: " + b,
                    "/a" + b + "b",
                    "GET /a" + b + "b @h");
        }
        for (String b : List.of("\"", "<", ">", "\\", "`", "{", "}")) {
            rows.target("not in a path: " + b, "/a" + b + "b", "400");
        }
        rows.target("not in a path: non-ASCII", "/\u00e4", "400");
        rows.section("RFC 3986 §3.4");
        for (String b : List.of("[", "]", "{", "|", "}", "^", "`", "\\")) {
            rows.target(
                    "allowed in a query because browsers send it: " + b,
                    "/?a" + b,
                    "GET /?a" + b + " @h");
        }
        for (String b : List.of("\"", "<", ">", "\u00e4", "\t", "\0", "\u007f")) {
            rows.target("not in a query: " + b, "/?a" + b, "400");
        }
        rows.target("a bare % in a query, because browsers send it", "/?100%", "GET /?100% @h");
        return rows.rules;
    }

    static List<Rule> encodings() {
        Rows rows = new Rows();
        rows.section("RFC 3986 §2.1")
                .target("decoded", "/%61%C3%a4", "GET /a\u00e4 @h")
                .target("one digit", "/%4", "400")
                .target("no digit", "/%", "400")
                .target("not a digit", "/%4g", "400");
        rows.section("RFC 3986 §5.2.4")
                .target("dot segments are removed", "/a/./b/../c", "GET /a/c @h")
                .target("encoded dot segments too", "/a/%2e%2E/b", "GET /b @h")
                .target("empty segments too", "//a///b", "GET /a/b @h")
                .target("above the root", "/../a", "400")
                .target("above the root by a detour", "/a/../../b", "400")
                .target("above the root, encoded", "/%2e./a", "400");
        rows.section("RFC 3986 §7.3")
                .target("an encoded slash", "/a%2fb", "400")
                .target("an encoded backslash", "/a%5Cb", "400")
                .target("an encoded NUL", "/a%00", "400")
                .target("an encoded line end", "/a%0d%0aX:%20y", "400")
                .target("an encoded DEL", "/a%7f", "400");
        rows.section("Servlet 6.1 §3.5.2")
                .target("dots with parameters", "/a/..;x/b", "400")
                .target("one dot with parameters", "/.;x/b", "400")
                .target("parameters stay", "/a;x=y/b", "GET /a;x=y/b @h");
        rows.section("RFC 3629 §4")
                .target("only a continuation byte", "/%80", "400")
                .target("an overlong form", "/%c0%af", "400")
                .target("a surrogate", "/%ed%a0%80", "400")
                .target("after the last code point", "/%f4%90%80%80", "400");
        return rows.rules;
    }

    static List<Rule> otherForms() {
        Rows rows = new Rows();
        rows.section("RFC 9112 §3.2.2")
                .target("http", "http://x/a", "GET /a @x")
                .target("https", "https://x/a?b", "GET /a?b @x")
                .target("a scheme in upper case", "HTTP://x/a", "GET /a @x")
                .target("its authority overrides Host", "http://x:81/", "GET / @x:81")
                .target("no path", "http://x", "GET / @x")
                .target("no path, a query", "http://x?a=/b", "GET /?a=/b @x")
                .target("an IPv6 address", "http://[::1]:8080/", "GET / @[::1]:8080")
                .target("no host", "http:///a", "400")
                .target("only a port", "http://:80/a", "400")
                .target("no slashes", "http:a", "400")
                .target("one slash", "http:/a", "400")
                .target("another scheme", "ftp://x/a", "400")
                .target("a fragment", "http://x#a", "400")
                .target("a fragment after a path", "http://x/#a", "400");
        rows.section("RFC 9110 §4.2.4")
                .target("user information", "http://u@x/", "400")
                .target("user and password", "http://u:p@x/", "400");
        rows.section("RFC 9112 §3.2.3")
                .line("CONNECT host:port", "CONNECT x:443 HTTP/1.1", "CONNECT / @x:443")
                .line(
                        "CONNECT to an IPv6 address",
                        "CONNECT [::1]:443 HTTP/1.1",
                        "CONNECT / @[::1]:443")
                .line("CONNECT without a port", "CONNECT x HTTP/1.1", "400")
                .line("CONNECT with an empty port", "CONNECT x: HTTP/1.1", "400")
                .line("CONNECT without a host", "CONNECT :443 HTTP/1.1", "400")
                .line("CONNECT with a path", "CONNECT /a HTTP/1.1", "400")
                .line("CONNECT with an absolute form", "CONNECT http://x:80 HTTP/1.1", "400")
                .line("CONNECT *", "CONNECT * HTTP/1.1", "400")
                .line("the authority form with GET", "GET x:443 HTTP/1.1", "400");
        rows.section("RFC 9112 §3.2.4")
                .line("OPTIONS *", "OPTIONS * HTTP/1.1", "OPTIONS * @h")
                .line("GET *", "GET * HTTP/1.1", "400")
                .line("more than the asterisk", "OPTIONS *a HTTP/1.1", "400");
        return rows.rules;
    }

    static List<Rule> fields() {
        Rows rows = new Rows();
        rows.section("RFC 9112 §5")
                .field("an unknown name", "X-Unknown: y", "GET / @h")
                .field("no value", "A:", "GET / @h")
                .field("only white space", "A: \t ", "GET / @h")
                .field("no space", "A:b", "GET / @h")
                .field("colons in a value", "A: b:c", "GET / @h")
                .field("no colon", "Accept", "400")
                .field("no colon, no name", "a b", "400")
                .field("no name", ": b", "400");
        rows.section("RFC 9112 §5.1")
                .field("a space before the colon", "A : b", "400")
                .field("HTAB before the colon", "A\t: b", "400")
                .field("a space before the colon of a known name", "Accept : b", "400")
                .field("a space before the colon of Content-Length", "Content-Length : 5", "400");
        rows.section("RFC 9112 §5.2")
                .field("a folded line", "A: b\n c", "400")
                .field("a line folded with HTAB", "A: b\n\tc", "400")
                .field("a folded line of white space", "A: b\n \n", "400");
        rows.section("RFC 9110 §5.1")
                .field("every tchar in a name", "!#$%&'*+-.^_`|~09azAZ: b", "GET / @h")
                .field("a space in a name", "A B: c", "400");
        for (String b :
                List.of(
                        "(", ")", "<", ">", "@", ",", ";", "\\", "\"", "/", "[", "]", "?", "=", "{",
                        "}", "\u00e4")) {
            rows.field("not in a name: " + b, "A" + b + "B: c", "400");
        }
        rows.section("RFC 9110 §5.5")
                .field("HTAB in a value", "A: b\tc", "GET / @h")
                .field("bytes outside ASCII in a value", "A: b\u00e4\u00ff", "GET / @h")
                .field("a NUL in a value", "A: b\0c", "400")
                .field("ESC in a value", "A: b\u001bc", "400")
                .field("DEL in a value", "A: b\u007fc", "400")
                .field("a control character at the end", "A: bcdefgh\u0001", "400")
                .field("a control character in a name", "A\u0001: b", "400");
        return rows.rules;
    }

    static List<Rule> hosts() {
        Rows rows = new Rows();
        rows.section("RFC 9112 §3.2")
                .head("no Host in HTTP/1.1", "GET / HTTP/1.1\n\n", "400")
                .head("no Host in HTTP/1.0", "GET / HTTP/1.0\n\n", "GET / @ 1.0 close")
                .head("two Host", "GET / HTTP/1.1\nHost: h\nHost: h\n\n", "400")
                .head("two Host in HTTP/1.0", "GET / HTTP/1.0\nHost: h\nHost: h\n\n", "400")
                .head("two Host, one in upper case", "GET / HTTP/1.1\nHost: h\nHOST: h\n\n", "400")
                .head("a name in another case", "GET / HTTP/1.1\nhOST: h\n\n", "GET / @h")
                .head("a later minor version needs Host", "GET / HTTP/1.7\n\n", "400")
                .head("no Host with an absolute form", "GET http://x/ HTTP/1.1\n\n", "400")
                .head(
                        "a bad Host with an absolute form",
                        "GET http://x/ HTTP/1.1\nHost: a/b\n\n",
                        "400");
        rows.section("RFC 9110 §4.2.1")
                .head("an empty Host", "GET / HTTP/1.1\nHost:\n\n", "400")
                .head("only a port", "GET / HTTP/1.1\nHost: :80\n\n", "400")
                .head("an empty Host in HTTP/1.0", "GET / HTTP/1.0\nHost:\n\n", "400");
        rows.section("RFC 9110 §7.2")
                .head("an empty Host with *", "OPTIONS * HTTP/1.1\nHost:\n\n", "OPTIONS * @")
                .head(
                        "an empty Host with an absolute form",
                        "GET http://x/ HTTP/1.1\nHost:\n\n",
                        "GET / @x");
        return rows.rules;
    }

    static List<Rule> hostNames() {
        Rows rows = new Rows();
        rows.section("RFC 3986 §3.2.2");
        for (String host :
                List.of(
                        "example.com",
                        "a_b",
                        "127.0.0.1",
                        "xn--bcher-kva.example",
                        "%41b",
                        "-._~!$&'()*+,;=",
                        "[::1]",
                        "[1:2:3:4:5:6:7:8]",
                        "[1::8]",
                        "[::]",
                        "[1:2:3:4:5:6:7::]",
                        "[::ffff:192.0.2.1]",
                        "[1:2:3:4:5:6:1.2.3.4]",
                        "[2001:DB8::a]",
                        "[v1.fe:x]")) {
            rows.host("accepts " + host, host, "GET / @" + host);
        }
        return rows.rules;
    }

    static List<Rule> badHostNames() {
        Rows rows = new Rows();
        rows.section("RFC 3986 §3.2.2");
        for (String host :
                List.of(
                        "a b",
                        "a/b",
                        "a\\b",
                        "a@b",
                        "a?b",
                        "a#b",
                        "a\"b",
                        "a<b>",
                        "\u00e4",
                        "a,b c",
                        "%4",
                        "%zz",
                        "[::1",
                        "::1",
                        "[]",
                        "[:]",
                        "[:::]",
                        "[1::2::3]",
                        "[1:2:3:4:5:6:7]",
                        "[1:2:3:4:5:6:7:8:9]",
                        "[1:2:3:4:5:6:7:8::]",
                        "[12345::]",
                        "[::g]",
                        "[:1]",
                        "[1:]",
                        "[::1%25eth0]",
                        "[::1]x",
                        "[::1.2.3]",
                        "[::1.2.3.4.5]",
                        "[::1.2.3.256]",
                        "[::1.2.3.04]",
                        "[::1.2.3.]",
                        "[1:2:3:4:5:6:7:1.2.3.4]",
                        "[v.a]",
                        "[v1.]",
                        "[vg.a]",
                        "[v1.a/]",
                        "a[::1]")) {
            rows.host("refuses " + host, host, "400");
        }
        return rows.rules;
    }

    static List<Rule> ports() {
        Rows rows = new Rows();
        rows.section("RFC 3986 §3.2.3")
                .host("a port", "h:8080", "GET / @h:8080")
                .host("an empty port", "h:", "GET / @h:")
                .host("the last port", "h:65535", "GET / @h:65535")
                .host("one above the last port", "h:65536", "400")
                .host("a long port", "h:99999999999999", "400")
                .host("a sign", "h:+80", "400")
                .host("a letter", "h:80a", "400")
                .host("two ports", "h:80:80", "400");
        return rows.rules;
    }

    static List<Rule> framing() {
        Rows rows = new Rows();
        rows.section("RFC 9110 §8.6")
                .field("a length", "Content-Length: 5", "GET / @h length=5")
                .field("a length of 0", "Content-Length: 0", "GET / @h")
                .field("leading zeros", "Content-Length: 0005", "GET / @h length=5")
                .field("white space around", "Content-Length: \t5 ", "GET / @h length=5")
                .field("a name in lower case", "content-length: 5", "GET / @h length=5")
                .field(
                        "the largest length",
                        "Content-Length: 9223372036854775807",
                        "GET / @h length=9223372036854775807")
                .field("one above it", "Content-Length: 9223372036854775808", "400")
                .field("far above it", "Content-Length: 99999999999999999999999", "400")
                .field("above 2^64", "Content-Length: 18446744073709551621", "400")
                .field("no digits", "Content-Length:", "400")
                .field("a plus sign", "Content-Length: +5", "400")
                .field("a minus sign", "Content-Length: -5", "400")
                .field("hexadecimal", "Content-Length: 0x5", "400")
                .field("a fraction", "Content-Length: 5.0", "400")
                .field("white space inside", "Content-Length: 5 5", "400")
                .field("digits outside ASCII", "Content-Length: \u00b2", "400")
                .field("a list of equal lengths", "Content-Length: 5, 5", "400")
                .field("a list of different lengths", "Content-Length: 5, 6", "400")
                .field("a list with an empty member", "Content-Length: 5,", "400");
        rows.section("RFC 9112 §6.3")
                .field("two equal lengths", "Content-Length: 5\nContent-Length: 5", "400")
                .field("two different lengths", "Content-Length: 5\nContent-Length: 6", "400")
                .field("no length means no content", "A: b", "GET / @h")
                .line(
                        "content with any method",
                        "HEAD / HTTP/1.1\nContent-Length: 5",
                        "HEAD / @h length=5")
                .line("no content with POST", "POST / HTTP/1.1", "POST / @h");
        return rows.rules;
    }

    static List<Rule> codings() {
        Rows rows = new Rows();
        rows.section("RFC 9112 §6.1")
                .field("chunked", "Transfer-Encoding: chunked", "GET / @h length=chunked")
                .field(
                        "chunked in any case",
                        "Transfer-Encoding: ChUnKeD",
                        "GET / @h length=chunked")
                .field(
                        "white space around chunked",
                        "Transfer-Encoding: \t chunked \t",
                        "GET / @h length=chunked")
                .field("with a length", "Content-Length: 5\nTransfer-Encoding: chunked", "400")
                .field(
                        "with a length after it",
                        "Transfer-Encoding: chunked\nContent-Length: 5",
                        "400")
                .field(
                        "another coding with a length",
                        "Transfer-Encoding: x\nContent-Length: 0",
                        "400")
                .line("in HTTP/1.0", "GET / HTTP/1.0\nTransfer-Encoding: chunked", "400")
                .line(
                        "in a later minor version",
                        "GET / HTTP/1.2\nTransfer-Encoding: chunked",
                        "GET / @h length=chunked")
                .field("gzip", "Transfer-Encoding: gzip", "501")
                .field("identity", "Transfer-Encoding: identity", "501")
                .field("a longer name", "Transfer-Encoding: xchunked", "501")
                .field("a longer name at the end", "Transfer-Encoding: chunkedx", "501")
                .field("gzip, chunked", "Transfer-Encoding: gzip, chunked", "501")
                .field(
                        "gzip and chunked in two lines",
                        "Transfer-Encoding: gzip\nTransfer-Encoding: chunked",
                        "501")
                .field("a coding with parameters", "Transfer-Encoding: x;q=1", "501");
        rows.section("RFC 9112 §6.3")
                .field("chunked is not the last", "Transfer-Encoding: chunked, gzip", "400")
                .field(
                        "chunked is not the last, in two lines",
                        "Transfer-Encoding: chunked\nTransfer-Encoding: gzip",
                        "400")
                .field("chunked twice", "Transfer-Encoding: chunked, chunked", "400")
                .field(
                        "chunked twice in two lines",
                        "Transfer-Encoding: chunked\nTransfer-Encoding: chunked",
                        "400")
                .field("no coding", "Transfer-Encoding:", "400")
                .field("an empty member first", "Transfer-Encoding: ,chunked", "400")
                .field("an empty member last", "Transfer-Encoding: chunked,", "400")
                .field("not a token", "Transfer-Encoding: \"chunked\"", "400")
                .field("two words", "Transfer-Encoding: chunked chunked", "400")
                .field("a byte outside ASCII", "Transfer-Encoding: \u00e0chunked", "400");
        rows.section("RFC 9112 §7.1")
                .field("chunked has no parameters", "Transfer-Encoding: chunked;a=b", "400")
                .field("chunked has no empty parameters", "Transfer-Encoding: chunked ;", "400");
        return rows.rules;
    }

    static List<Rule> connections() {
        Rows rows = new Rows();
        rows.section("RFC 9112 §9.3")
                .field("1.1 stays open", "A: b", "GET / @h")
                .field("1.1 with close", "Connection: close", "GET / @h close")
                .field("close in any case", "Connection: CLOSE", "GET / @h close")
                .field("close in a list", "Connection: x, close ,y", "GET / @h close")
                .field(
                        "close in a second line",
                        "Connection: x\nConnection: close",
                        "GET / @h close")
                .field("a longer name", "Connection: closed", "GET / @h")
                .field("1.1 with keep-alive", "Connection: keep-alive", "GET / @h")
                .field(
                        "close overrides keep-alive",
                        "Connection: keep-alive, close",
                        "GET / @h close")
                .field("an empty list", "Connection: ,", "GET / @h")
                .field("every character of a token", "Connection: !#$%&'*+-.^_`|~9a", "GET / @h")
                .field("not a token", "Connection: @", "400")
                .field("not a token in a list", "Connection: close, a b", "400")
                .field("a quoted string", "Connection: \"close\"", "400")
                .field("a parameter", "Connection: close;x", "400")
                .field("not a token in a second line", "Connection: close\nConnection: a@", "400")
                .line("1.0 closes", "GET / HTTP/1.0", "GET / @h 1.0 close")
                .line(
                        "1.0 with keep-alive",
                        "GET / HTTP/1.0\nConnection: Keep-Alive",
                        "GET / @h 1.0")
                .line(
                        "1.0 with both",
                        "GET / HTTP/1.0\nConnection: keep-alive, close",
                        "GET / @h 1.0 close");
        rows.section("RFC 9110 §10.1.1")
                .field(
                        "with content",
                        "Expect: 100-continue\nContent-Length: 5",
                        "GET / @h length=5 expects")
                .field(
                        "in any case",
                        "Expect: 100-Continue\nContent-Length: 5",
                        "GET / @h length=5 expects")
                .field(
                        "with chunks",
                        "Expect: 100-continue\nTransfer-Encoding: chunked",
                        "GET / @h length=chunked expects")
                .field("without content", "Expect: 100-continue", "GET / @h")
                .field("with no bytes", "Expect: 100-continue\nContent-Length: 0", "GET / @h")
                .line(
                        "in HTTP/1.0",
                        "GET / HTTP/1.0\nContent-Length: 5\nExpect: 100-continue",
                        "GET / @h 1.0 length=5 close")
                .field("another expectation", "Expect: 200-ok", "417")
                .field("one more expectation", "Expect: 100-continue, x", "417")
                .field("one more expectation in a line", "Expect: 100-continue\nExpect: x", "417");
        return rows.rules;
    }

    /// Collects rows.
    private static final class Rows {
        private final List<Rule> rules = new ArrayList<>();
        private String section = "";

        Rows section(String name) {
            section = name;
            return this;
        }

        Rows head(String says, String head, String expected) {
            rules.add(new Rule(section, says, head, expected));
            return this;
        }

        Rows line(String says, String line, String expected) {
            return head(says, line + "\n" + HOST + "\n", expected);
        }

        Rows target(String says, String target, String expected) {
            return line(says, "GET " + target + " HTTP/1.1", expected);
        }

        Rows field(String says, String field, String expected) {
            return head(says, "GET / HTTP/1.1\n" + HOST + field + "\n\n", expected);
        }

        Rows host(String says, String host, String expected) {
            return head(says, "GET / HTTP/1.1\nHost: " + host + "\n\n", expected);
        }
    }
}
