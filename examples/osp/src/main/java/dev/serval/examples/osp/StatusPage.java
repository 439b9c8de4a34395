package dev.serval.examples.osp;

import dev.serval.examples.osp.call.Destination;
import dev.serval.examples.osp.call.Route;
import dev.serval.examples.osp.call.RouteTable;
import dev.serval.examples.osp.message.AnswerWriter;
import dev.serval.examples.osp.message.ComponentKind;
import dev.serval.examples.osp.record.CallRecord;
import dev.serval.examples.osp.record.Field;
import dev.serval.examples.osp.record.RecordWriter;
import dev.serval.lrwp.peer.LrwpResponse;
import java.util.List;
import java.util.Locale;

/// A page that shows calls per second, routes and the last records, and `/counters` as plain text
/// for programs. It needs no JavaScript and follows the reader's choice of light or dark. Every
/// value is escaped.
final class StatusPage {
    private static final int ROUTES_SHOWN = 200;
    private static final int CHART_HEIGHT = 80;
    private static final int BAR_WIDTH = 8;

    private static final String HEAD =
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="refresh" content="5">
            <title>OSP server</title>
            <style>
            :root { --text: #1b1f24; --soft: #57606a; --back: #ffffff; --line: #d0d7de; --bar: #0a6cbd; }
            @media (prefers-color-scheme: dark) {
              :root { --text: #e6edf3; --soft: #9aa4af; --back: #12161b; --line: #343b44; --bar: #58a6ff; }
            }
            body { font: 16px/1.5 system-ui, sans-serif; color: var(--text); background: var(--back);
                   max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
            h1 { font-size: 1.5rem; } h2 { font-size: 1.1rem; margin-top: 2rem; }
            p, caption { color: var(--soft); }
            .wide { overflow-x: auto; }
            table { border-collapse: collapse; width: 100%; font-variant-numeric: tabular-nums; }
            th, td { text-align: left; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid var(--line);
                     white-space: nowrap; }
            th { font-weight: 600; } .number { text-align: right; }
            svg { width: 100%; height: 6rem; } rect { fill: var(--bar); }
            </style>
            </head>
            <body>
            <h1>OSP server</h1>
            """;

    private final RouteTable routes;
    private final RecordWriter records;
    private final CallCounts counts;
    private final String tokenForm;

    StatusPage(RouteTable routes, RecordWriter records, CallCounts counts, String tokenForm) {
        this.routes = routes;
        this.records = records;
        this.counts = counts;
        this.tokenForm = tokenForm;
    }

    /// Answers a GET.
    ///
    /// @param path after the registered name
    LrwpResponse answer(String path) {
        return switch (path) {
            case "", "/" -> page();
            case "/counters" -> LrwpResponse.text(counters()).with("Cache-Control", "no-store");
            default -> LrwpResponse.status(404, "There is only the page itself and /counters.");
        };
    }

    private String counters() {
        CallCounts.Totals totals = counts.totals();
        StringBuilder out = new StringBuilder(200);
        counter(out, "messages", totals.messages());
        counter(out, "components", totals.components());
        for (ComponentKind kind : ComponentKind.values()) {
            counter(out, kind.name().toLowerCase(Locale.ROOT), counts.of(kind));
        }
        counter(out, "records", totals.written());
        counter(out, "records_failed", records.failed());
        return out.toString();
    }

    private static void counter(StringBuilder out, String name, long value) {
        out.append(name).append(' ').append(value).append('\n');
    }

    private LrwpResponse page() {
        StringBuilder out = new StringBuilder(16_384).append(HEAD);
        CallCounts.Totals totals = counts.totals();
        out.append("<p>").append(totals.messages()).append(" messages, ");
        out.append(totals.calls()).append(" calls authorised or refused, ");
        out.append(totals.written()).append(" records in ");
        AnswerWriter.escape(out, records.place());
        out.append(". Tokens: ");
        AnswerWriter.escape(out, tokenForm);
        out.append(".</p>\n");
        chart(out);
        routes(out);
        records(out);
        out.append("</body>\n</html>\n");
        return LrwpResponse.html(out.toString()).with("Cache-Control", "no-store");
    }

    private void chart(StringBuilder out) {
        long[] seconds = counts.perSecond();
        long most = 1;
        for (long each : seconds) {
            most = Math.max(most, each);
        }
        long last = seconds[seconds.length - 1];
        out.append("<h2>Messages per second</h2>\n<p>Now ").append(last);
        out.append(", at most ").append(most).append(" in the last minute.</p>\n");
        out.append("<svg viewBox=\"0 0 ").append(seconds.length * BAR_WIDTH).append(' ');
        out.append(CHART_HEIGHT).append("\" preserveAspectRatio=\"none\" role=\"img\"");
        out.append(" aria-label=\"Messages in each of the last 60 seconds\">\n");
        for (int i = 0; i < seconds.length; i++) {
            long height = seconds[i] * CHART_HEIGHT / most;
            out.append("<rect x=\"").append(i * BAR_WIDTH).append("\" y=\"");
            out.append(CHART_HEIGHT - height).append("\" width=\"").append(BAR_WIDTH - 2);
            out.append("\" height=\"").append(height).append("\"/>\n");
        }
        out.append("</svg>\n");
    }

    private void routes(StringBuilder out) {
        List<Route> all = routes.routes();
        out.append("<h2>Routes</h2>\n<div class=\"wide\"><table>\n<tr><th>Prefix</th>");
        out.append("<th>Destination</th><th class=\"number\">Weight</th>");
        out.append("<th class=\"number\">Price</th><th>Per</th></tr>\n");
        for (Route route : all.subList(0, Math.min(ROUTES_SHOWN, all.size()))) {
            String prefix = route.prefix().isEmpty() ? "every number" : route.prefix();
            if (route.destinations().isEmpty()) {
                out.append("<tr>");
                cell(out, prefix);
                cell(out, "refused: " + route.status().code() + " " + route.status().text());
                out.append("<td></td><td></td><td></td></tr>\n");
            }
            for (Destination each : route.destinations()) {
                out.append("<tr>");
                cell(out, prefix);
                cell(out, each.address());
                number(out, Integer.toString(each.weight()));
                number(out, each.rate().toPlainString() + " " + each.currency());
                cell(out, each.perSeconds() + " s");
                out.append("</tr>\n");
            }
        }
        out.append("</table></div>\n");
        if (all.size() > ROUTES_SHOWN) {
            out.append("<p>").append(all.size() - ROUTES_SHOWN).append(" more prefixes.</p>\n");
        }
    }

    private void records(StringBuilder out) {
        out.append("<h2>Last records</h2>\n<div class=\"wide\"><table>\n<tr><th>Received</th>");
        out.append("<th>Role</th><th>From</th><th>To</th><th>Destination</th>");
        out.append("<th class=\"number\">Amount</th><th>Cause</th><th>Transaction</th></tr>\n");
        for (CallRecord each : records.recent()) {
            out.append("<tr>");
            cell(out, each.value(Field.RECEIVED));
            cell(out, each.value(Field.ROLE));
            cell(out, each.value(Field.CALLING));
            cell(out, each.value(Field.CALLED));
            cell(out, each.value(Field.DESTINATION));
            number(out, each.value(Field.AMOUNT) + " " + each.value(Field.UNIT));
            cell(out, each.value(Field.CAUSE));
            cell(out, each.value(Field.TRANSACTION));
            out.append("</tr>\n");
        }
        out.append("</table></div>\n");
    }

    private static void cell(StringBuilder out, String text) {
        out.append("<td>");
        AnswerWriter.escape(out, text);
        out.append("</td>");
    }

    private static void number(StringBuilder out, String text) {
        out.append("<td class=\"number\">");
        AnswerWriter.escape(out, text);
        out.append("</td>");
    }
}
