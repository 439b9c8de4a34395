package dev.serval.examples.osp.call;

import dev.serval.examples.osp.message.Component;
import dev.serval.examples.osp.message.Element;
import dev.serval.examples.osp.message.OspStatus;
import dev.serval.examples.osp.message.OspTime;
import dev.serval.examples.osp.record.CallRecord;
import dev.serval.examples.osp.record.Field;
import dev.serval.examples.osp.record.RecordWriter;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/// Answers UsageIndication: writes a call detail record, and confirms it after it is stored. Safe
/// for several threads.
final class Usages {
    private final OspTime time;
    private final RecordWriter records;

    Usages(OspTime time, RecordWriter records) {
        this.time = time;
        this.records = records;
    }

    /// Queues the record. The result completes when the record is stored, or could not be.
    ///
    /// @param digest of the component
    CompletableFuture<Answer> answer(
            String digest, String messageId, Component component, String client) {
        String problem = problem(component.element());
        if (problem != null) {
            return CompletableFuture.completedFuture(
                    refuse(component, OspStatus.BAD_REQUEST, problem));
        }
        CompletableFuture<Boolean> stored =
                records.write(callRecord(messageId, component, client).digest(digest).build());
        if (stored == null) {
            return CompletableFuture.completedFuture(
                    refuse(component, OspStatus.NOT_AVAILABLE, "too many records wait"));
        }
        return stored.thenApply(done ->
                done
                        ? refuse(component, OspStatus.SUCCESS, "")
                        : refuse(component, OspStatus.NOT_AVAILABLE, "the record was not stored"));
    }

    private Answer refuse(Component component, OspStatus status, String detail) {
        return Answer.refuse(component, time.now(), status, detail);
    }

    private static @Nullable String problem(Element usage) {
        String role = usage.text("Role");
        if (role.isEmpty()) {
            return "Role is missing";
        }
        if (Authorizations.transactionId(usage.text("TransactionId")) == null) {
            return "TransactionId must be a number of 64 bits";
        }
        Element callId = usage.child("CallId");
        String id = callId == null ? null : callId.base64();
        if (id == null || id.isEmpty()) {
            return "CallId is missing or not base64";
        }
        if (usage.child("UsageDetail") == null) {
            return "UsageDetail is missing";
        }
        return null;
    }

    private CallRecord.Builder callRecord(String messageId, Component component, String client) {
        Element usage = component.element();
        Element detail = usage.child("UsageDetail");
        Element callId = usage.child("CallId");
        Element group = usage.child("Group");
        CallRecord.Builder record =
                new CallRecord.Builder()
                        .set(Field.RECEIVED, time.now())
                        .set(Field.CLIENT, client)
                        .set(Field.MESSAGE, messageId)
                        .set(Field.COMPONENT, component.id())
                        .set(Field.ROLE, usage.text("Role"))
                        .set(Field.TRANSACTION, usage.text("TransactionId"))
                        .set(Field.CALL, callId == null ? "" : text(callId.base64()))
                        .set(Field.CALLING, usage.text("SourceInfo"))
                        .set(Field.CALLED, usage.text("DestinationInfo"))
                        .set(Field.SOURCE, usage.text("SourceAlternate", "transport"))
                        .set(Field.DESTINATION, usage.text("DestinationAlternate", "transport"))
                        .set(Field.CUSTOMER, usage.text("CustomerId"))
                        .set(Field.DEVICE, usage.text("DeviceId"))
                        .set(
                                Field.GROUP,
                                group == null ? usage.text("GroupId") : group.text("GroupId"));
        if (detail != null) {
            addDetail(record, detail);
        }
        return record;
    }

    private static void addDetail(CallRecord.Builder record, Element detail) {
        Element service = detail.child("Service");
        Element cause = detail.child("TerminationCause");
        record.set(Field.SERVICE, service == null ? "" : service.text("ServiceType"))
                .set(Field.AMOUNT, detail.text("Amount"))
                .set(Field.INCREMENT, detail.text("Increment"))
                .set(Field.UNIT, detail.text("Unit"))
                .set(Field.START, detail.text("StartTime"))
                .set(Field.END, detail.text("EndTime"))
                .set(Field.CAUSE, cause == null ? "" : cause.text("TCCode"))
                .set(Field.POST_DIAL_DELAY, detail.text("PostDialDelay"))
                .set(Field.RELEASE_SOURCE, detail.text("ReleaseSource"));
    }

    private static String text(@Nullable String text) {
        return text == null ? "" : text;
    }
}
