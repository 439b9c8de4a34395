package dev.serval.examples.osp.call;

import dev.serval.examples.osp.message.AnswerWriter;
import dev.serval.examples.osp.message.Component;
import dev.serval.examples.osp.message.ComponentDigest;
import dev.serval.examples.osp.message.ComponentKind;
import dev.serval.examples.osp.message.Element;
import dev.serval.examples.osp.message.OspMessage;
import dev.serval.examples.osp.message.OspStatus;
import dev.serval.examples.osp.message.OspTime;
import dev.serval.examples.osp.record.RecordWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// Answers the components of messages. Safe for several threads.
///
/// Each component is first begun and then waited for, so that the records of all UsageIndications of
/// a message wait for the disk together.
public final class CallService {
    private static final System.Logger LOG = System.getLogger(CallService.class.getName());

    private final CallSettings settings;
    private final OspTime time;
    private final RouteTable table;
    private final Duplicates duplicates;
    private final Authorizations authorizations;
    private final Usages usages;
    private final BusyDevices devices;

    /// Creates a service.
    public CallService(
            CallSettings settings,
            OspTime time,
            RouteTable table,
            Memory memory,
            Tokens tokens,
            RecordWriter records) {
        this.settings = settings;
        this.time = time;
        this.table = table;
        this.duplicates = memory.duplicates();
        this.devices = new BusyDevices();
        this.authorizations = new Authorizations(settings, time, table, tokens, memory, devices);
        this.usages = new Usages(time, records);
    }

    /// What the service keeps of earlier messages.
    ///
    /// @param random orders destinations of equal price
    public record Memory(
            Duplicates duplicates, Transactions transactions, RandomGenerator random) {}

    /// Returns the answers of a message as XML, in the order of its components.
    ///
    /// @param client the address that sent it, which separates equal messages of different clients
    public List<String> answer(OspMessage message, String client) {
        if (message.status() != OspStatus.SUCCESS) {
            return refuseAll(message);
        }
        List<Supplier<String>> begun = new ArrayList<>(message.components().size());
        for (Component component : message.components()) {
            begun.add(begin(message.id(), component, client));
        }
        List<String> answers = new ArrayList<>(begun.size());
        for (Supplier<String> each : begun) {
            answers.add(each.get());
        }
        return answers;
    }

    /// Answers a message that could not be read: each component that was begun gets the status.
    private List<String> refuseAll(OspMessage message) {
        List<Component> components = message.components();
        if (components.isEmpty()) {
            components = List.of(new Component(ComponentKind.UNKNOWN, "0", Element.none(), ""));
        }
        return components.stream()
                .map(component -> refuse(component, message.status(), message.detail()))
                .toList();
    }

    private Supplier<String> begin(String messageId, Component component, String client) {
        String key = ComponentDigest.of(client, messageId, component);
        CompletableFuture<String> earlier = duplicates.begin(key, time.second());
        CompletableFuture<String> answer =
                earlier == null ? start(key, messageId, component, client) : earlier;
        return () -> await(answer, component);
    }

    /// Starts a component that is no repetition. Its key is kept until its answer is known, even if
    /// the client no longer waits for it: a record that is still queued must not be queued again.
    private CompletableFuture<String> start(
            String key, String messageId, Component component, String client) {
        return answer(key, messageId, component, client)
                .handle((answer, failure) -> {
                    Answer made = answer == null ? failed(component, failure) : answer;
                    if (made.status() == OspStatus.SUCCESS) {
                        duplicates.complete(key, made.xml(), made.lastSecond());
                    } else {
                        duplicates.forget(key, made.xml());
                    }
                    return made.xml();
                });
    }

    /// Answers a component. Only the answer to a UsageIndication comes later.
    private CompletableFuture<Answer> answer(
            String key, String messageId, Component component, String client) {
        try {
            OspStatus refused = refusal(component);
            if (refused != null) {
                return ready(refused(component, refused, component.fault()));
            }
            return switch (component.kind()) {
                case AUTHORIZATION_REQUEST -> ready(authorizations.request(component));
                case AUTHORIZATION_INDICATION -> ready(authorizations.indication(component));
                case REAUTHORIZATION_REQUEST -> ready(authorizations.reauthorization(component));
                case USAGE_INDICATION -> usages.answer(key, messageId, component, client);
                case PRICING_INDICATION -> ready(new Prices(time).answer(component));
                case CAPABILITIES_INDICATION -> ready(capabilities(component));
                case SUBSCRIBER_AUTHENTICATION ->
                        ready(refused(component, OspStatus.NOT_IMPLEMENTED, ""));
                case UNKNOWN ->
                        ready(refused(component, OspStatus.CRITICAL_ELEMENT, component.fault()));
            };
        } catch (RuntimeException | Error e) { // the key must not be kept without an answer
            return CompletableFuture.failedFuture(e);
        }
    }

    private Answer failed(Component component, Throwable e) {
        LOG.log(
                System.Logger.Level.ERROR,
                "A " + component.kind().element() + " could not be answered; its status is 500",
                e);
        return refused(component, OspStatus.INTERNAL_ERROR, "");
    }

    private static CompletableFuture<Answer> ready(Answer answer) {
        return CompletableFuture.completedFuture(answer);
    }

    /// Returns what every kind of component is refused for, or null.
    private @Nullable OspStatus refusal(Component component) {
        if (!component.fault().isEmpty()) {
            return OspStatus.CRITICAL_ELEMENT;
        }
        Element element = component.element();
        if (!table.isCustomer(element.text("CustomerId"))) {
            return OspStatus.UNAUTHORIZED;
        }
        String timestamp = element.text("Timestamp");
        if (timestamp.isEmpty()) {
            return null;
        }
        Long second = OspTime.second(timestamp);
        if (second == null) {
            return OspStatus.BAD_REQUEST;
        }
        int max = settings.timestampMaxSeconds();
        return max > 0 && Math.abs(second - time.second()) > max ? OspStatus.TIME_PROBLEM : null;
    }

    private Answer capabilities(Component component) {
        Element element = component.element();
        Element resources = element.child("Resources");
        String out = resources == null ? "" : resources.text("AlmostOutOfResources");
        String address = element.text("SourceAlternate", "transport");
        if (!out.equals("true") && !out.equals("false")) {
            return refused(
                    component, OspStatus.BAD_REQUEST, "AlmostOutOfResources must be true or false");
        }
        if (table.hasAddress(address)) {
            devices.report(address, out.equals("true"), time.second());
        }
        return new Answer(
                OspStatus.SUCCESS, AnswerWriter.status(component, time.now(), OspStatus.SUCCESS));
    }

    /// Waits for an answer. At the limit only this wait ends, and a repetition waits for the same
    /// answer.
    private String await(CompletableFuture<String> answer, Component component) {
        try {
            return answer.get(settings.storeMaxMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return refuse(component, OspStatus.NOT_AVAILABLE, "the record was not stored in time");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return refuse(component, OspStatus.NOT_AVAILABLE, "the server stops");
        }
    }

    private Answer refused(Component component, OspStatus status, String detail) {
        return new Answer(status, refuse(component, status, detail));
    }

    private String refuse(Component component, OspStatus status, String detail) {
        return Answer.refuse(component, time.now(), status, detail).xml();
    }
}
