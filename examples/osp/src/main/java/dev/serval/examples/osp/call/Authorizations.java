package dev.serval.examples.osp.call;

import dev.serval.examples.osp.call.CallService.Memory;
import dev.serval.examples.osp.call.Transactions.Offer;
import dev.serval.examples.osp.call.Transactions.Transaction;
import dev.serval.examples.osp.message.AnswerWriter;
import dev.serval.examples.osp.message.Component;
import dev.serval.examples.osp.message.Element;
import dev.serval.examples.osp.message.OspStatus;
import dev.serval.examples.osp.message.OspTime;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Answers AuthorizationRequest, AuthorizationIndication and ReauthorizationRequest. Safe for
/// several threads.
final class Authorizations {
    private static final int CALL_ID_MAX_CHARS = 1_024;

    private final CallSettings settings;
    private final OspTime time;
    private final RouteTable table;
    private final Tokens tokens;
    private final Memory memory;
    private final BusyDevices devices;
    private final CallRates rates = new CallRates();

    Authorizations(
            CallSettings settings,
            OspTime time,
            RouteTable table,
            Tokens tokens,
            Memory memory,
            BusyDevices devices) {
        this.settings = settings;
        this.time = time;
        this.table = table;
        this.tokens = tokens;
        this.memory = memory;
        this.devices = devices;
    }

    /// The ends of a call as a component names them.
    private record Call(
            List<String> callIds,
            String calling,
            Element source,
            String called,
            Element destination) {
        String firstCallId() {
            return callIds.getFirst();
        }
    }

    /// What is read of a component: a call, or why it is refused.
    private record Read(@Nullable Call call, OspStatus status, String detail) {
        static Read refused(OspStatus status, String detail) {
            return new Read(null, status, detail);
        }
    }

    Answer request(Component component) {
        Read read = read(component.element());
        Call call = read.call();
        if (call == null) {
            return refuse(component, read.status(), read.detail());
        }
        int wanted = maximumDestinations(component.element());
        if (wanted < 0) {
            return refuse(component, OspStatus.BAD_REQUEST, "MaximumDestinations must be a number");
        }
        for (Element price : component.element().children("PricingIndication")) {
            String problem = Prices.problem(price);
            if (problem != null) {
                return refuse(component, OspStatus.BAD_REQUEST, problem);
            }
        }
        OspStatus refusal = table.refusal(call.calling());
        if (refusal != null) {
            return refuse(component, refusal, "");
        }
        Route route = table.route(call.called());
        if (route == null) {
            return refuse(component, OspStatus.ROUTE_NOT_FOUND, "");
        }
        if (route.status() != OspStatus.SUCCESS) {
            return refuse(component, route.status(), "");
        }
        RouteTable.CallLimit limit = table.limit(call.calling());
        if (limit != null && !rates.take(limit, time.second())) {
            return refuse(component, OspStatus.CALL_RATE, "");
        }
        return authorize(component, call, route, wanted);
    }

    private Answer authorize(Component component, Call call, Route route, int wanted) {
        List<Destination> ordered = table.order(route, memory.random(), devices.at(time.second()));
        int count = Math.min(Math.min(wanted, settings.destinationsMax()), ordered.size());
        long id = memory.transactions().newId();
        StringBuilder out = AnswerWriter.begin(component, time.now(), OspStatus.SUCCESS, "");
        AnswerWriter.element(out, "TransactionId", Long.toUnsignedString(id));
        List<Offer> offers = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            String callId = call.callIds().get(Math.min(i, call.callIds().size() - 1));
            offers.add(new Offer(callId, ordered.get(i)));
            destination(out, ordered.get(i), call, callId, id);
        }
        AnswerWriter.end(out, component);
        memory.transactions()
                .add(id, new Transaction(call.calling(), call.called(), List.copyOf(offers)));
        return new Answer(OspStatus.SUCCESS, out.toString(), validUntil());
    }

    private void destination(StringBuilder out, Destination to, Call call, String callId, long id) {
        long after = time.second() - settings.toleranceSeconds();
        long until = validUntil();
        String token =
                tokens.issue(
                        new TokenContent(
                                call.source().text(),
                                call.destination().text(),
                                callId,
                                after,
                                until,
                                id,
                                to.seconds(),
                                to.network()));
        out.append("<Destination>\n");
        AnswerWriter.element(out, "CallId", "encoding", "base64", callId);
        AnswerWriter.element(
                out,
                "DestinationInfo",
                "type",
                call.destination().type().isEmpty() ? "e164" : call.destination().type(),
                call.destination().text());
        AnswerWriter.element(out, "DestinationSignalAddress", to.address());
        AnswerWriter.element(out, "Token", "encoding", "base64", token);
        AnswerWriter.element(out, "ValidAfter", OspTime.text(after));
        AnswerWriter.element(out, "ValidUntil", OspTime.text(until));
        out.append("<UsageDetail>\n<Service/>\n");
        AnswerWriter.element(out, "Amount", Integer.toString(to.seconds()));
        out.append("<Increment>1</Increment>\n<Unit>s</Unit>\n</UsageDetail>\n");
        if (!to.protocol().isEmpty()) {
            AnswerWriter.element(out, "SignalingProtocol", to.protocol());
        }
        out.append("</Destination>\n");
    }

    /// Returns the last second of a token that is made now.
    private long validUntil() {
        return time.second() + settings.validSeconds();
    }

    /// Confirms a token that the source gateway showed to the destination.
    Answer indication(Component component) {
        Read read = read(component.element());
        Call call = read.call();
        if (call == null) {
            return refuse(component, read.status(), read.detail());
        }
        Element token = component.element().child("Token");
        if (token == null) {
            return refuse(component, OspStatus.BAD_REQUEST, "Token is missing");
        }
        Tokens.Checked checked = check(token, call);
        TokenContent content = checked.content();
        if (content == null) {
            return refuse(component, checked.status(), "");
        }
        OspStatus status = timely(content);
        if (status != OspStatus.SUCCESS) {
            return refuse(component, status, "");
        }
        StringBuilder out = AnswerWriter.begin(component, time.now(), OspStatus.SUCCESS, "");
        AnswerWriter.element(out, "ValidAfter", OspTime.text(content.validAfter()));
        AnswerWriter.element(out, "ValidUntil", OspTime.text(content.validUntil()));
        AnswerWriter.end(out, component);
        return new Answer(
                OspStatus.SUCCESS,
                out.toString(),
                content.validUntil() + settings.toleranceSeconds());
    }

    /// Extends a call: by its token, or by its transaction if the component has none.
    Answer reauthorization(Component component) {
        Element element = component.element();
        Read read = read(element);
        Call call = read.call();
        if (call == null) {
            return refuse(component, read.status(), read.detail());
        }
        Long id = transactionId(element.text("TransactionId"));
        if (id == null) {
            return refuse(
                    component, OspStatus.BAD_REQUEST, "TransactionId must be a number of 64 bits");
        }
        OspStatus refusal = table.refusal(call.calling());
        if (refusal != null) {
            return refuse(component, refusal, "");
        }
        Element token = element.child("Token");
        TokenContent content = null;
        if (token != null) {
            Tokens.Checked checked = check(token, call);
            content = checked.content();
            if (content == null) {
                return refuse(component, checked.status(), "");
            }
            if (content.transactionId() != id) {
                return refuse(component, OspStatus.SECURITY_PROBLEM, "another transaction");
            }
            OspStatus status = timely(content);
            if (status != OspStatus.SUCCESS) {
                return refuse(component, status, "");
            }
        }
        Transaction known = memory.transactions().find(id);
        if (known == null
                || !known.calling().equals(call.calling())
                || !known.called().equals(call.called())) {
            return refuse(component, OspStatus.UNAUTHORIZED, "no such transaction");
        }
        Destination to = offered(known, call.firstCallId(), element, content);
        if (to == null) {
            return refuse(
                    component, OspStatus.UNAUTHORIZED, "the destination was not offered to it");
        }
        StringBuilder out = AnswerWriter.begin(component, time.now(), OspStatus.SUCCESS, "");
        AnswerWriter.element(out, "TransactionId", Long.toUnsignedString(id));
        destination(out, to, call, call.firstCallId(), id);
        AnswerWriter.end(out, component);
        return new Answer(OspStatus.SUCCESS, out.toString(), validUntil());
    }

    /// Returns the first offered destination that has the CallId, the DestinationAlternate and the
    /// network of the token, as far as they are given; null if there is none.
    private static @Nullable Destination offered(
            Transaction known, String callId, Element element, @Nullable TokenContent token) {
        String address = element.text("DestinationAlternate", "transport");
        String network = element.text("DestinationAlternate", "network");
        for (Offer offer : known.offers()) {
            Destination to = offer.destination();
            if (offer.callId().equals(callId)
                    && (address.isEmpty() || to.address().equals(address))
                    && (network.isEmpty() || to.network().equals(network))
                    && (token == null || to.network().equals(token.network()))) {
                return to;
            }
        }
        return null;
    }

    /// Checks that a token was made by this server for this call.
    private Tokens.Checked check(Element token, Call call) {
        String base64 = token.base64();
        if (base64 == null) {
            return Tokens.Checked.refused(OspStatus.SECURITY_PROBLEM);
        }
        Tokens.Checked checked = tokens.check(base64);
        TokenContent content = checked.content();
        if (content == null) {
            return checked;
        }
        boolean sameCall =
                content.called().equals(call.destination().text())
                        && (content.calling().isEmpty()
                                || content.calling().equals(call.source().text()))
                        && call.callIds().contains(content.callId());
        return sameCall ? checked : Tokens.Checked.refused(OspStatus.SECURITY_PROBLEM);
    }

    private OspStatus timely(TokenContent content) {
        long now = time.second();
        if (now < content.validAfter() - settings.toleranceSeconds()) {
            return OspStatus.TOO_SOON;
        }
        return now > content.validUntil() + settings.toleranceSeconds()
                ? OspStatus.TIME_PROBLEM
                : OspStatus.SUCCESS;
    }

    private static Read read(Element element) {
        List<String> callIds = new ArrayList<>();
        for (Element each : element.children("CallId")) {
            String id = each.base64();
            if (id == null || id.isEmpty() || id.length() > CALL_ID_MAX_CHARS) {
                return Read.refused(
                        OspStatus.BAD_REQUEST, "CallId is empty, too long or not base64");
            }
            callIds.add(id);
        }
        if (callIds.isEmpty()) {
            return Read.refused(OspStatus.BAD_REQUEST, "CallId is missing");
        }
        Element source = element.child("SourceInfo");
        Element destination = element.child("DestinationInfo");
        if (destination == null) {
            return Read.refused(OspStatus.BAD_REQUEST, "DestinationInfo is missing");
        }
        // A caller who withholds his number has no SourceInfo.
        Element from = source == null ? Element.none() : source;
        String calling = Numbers.of(from);
        if (calling == null) {
            return Read.refused(OspStatus.CALLING_NUMBER_INVALID, "");
        }
        String called = Numbers.of(destination);
        if (called == null || destination.text().isEmpty()) {
            return Read.refused(OspStatus.DESTINATION_INVALID, "");
        }
        return new Read(
                new Call(callIds, calling, from, called, destination), OspStatus.SUCCESS, "");
    }

    private int maximumDestinations(Element element) {
        String text = element.text("MaximumDestinations");
        if (text.isEmpty()) {
            return settings.destinationsMax();
        }
        return Numbers.isDigits(text, 6) ? Integer.parseInt(text) : -1;
    }

    /// Returns an id, or null if the text is not an unsigned number of 64 bits.
    static @Nullable Long transactionId(String text) {
        if (!Numbers.isDigits(text, 20)) {
            return null;
        }
        try {
            return Long.parseUnsignedLong(text);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private Answer refuse(Component component, OspStatus status, String detail) {
        return Answer.refuse(component, time.now(), status, detail);
    }
}
