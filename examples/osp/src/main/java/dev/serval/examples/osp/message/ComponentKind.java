package dev.serval.examples.osp.message;

import org.jspecify.annotations.Nullable;

/// The components that a client sends, with the component that answers each.
public enum ComponentKind {
    AUTHORIZATION_REQUEST("AuthorizationRequest", "AuthorizationResponse"),
    AUTHORIZATION_INDICATION("AuthorizationIndication", "AuthorizationConfirmation"),
    REAUTHORIZATION_REQUEST("ReauthorizationRequest", "ReauthorizationResponse"),
    USAGE_INDICATION("UsageIndication", "UsageConfirmation"),
    PRICING_INDICATION("PricingIndication", "PricingConfirmation"),
    CAPABILITIES_INDICATION("CapabilitiesIndication", "CapabilitiesConfirmation"),

    /// A component of the standard that this server does not implement.
    SUBSCRIBER_AUTHENTICATION(
            "SubscriberAuthenticationRequest", "SubscriberAuthenticationResponse"),

    /// Any other element at the place of a component. The client gets its status in the answer that
    /// every client knows.
    UNKNOWN("", "AuthorizationResponse");

    private final String element;
    private final String answer;

    ComponentKind(String element, String answer) {
        this.element = element;
        this.answer = answer;
    }

    /// Returns the name of its element.
    public String element() {
        return element;
    }

    /// Returns the name of the element that answers it.
    public String answer() {
        return answer;
    }

    /// Returns the kind of an element, or null if it is none of the known ones.
    static @Nullable ComponentKind of(String element) {
        for (ComponentKind kind : values()) {
            if (kind != UNKNOWN && kind.element.equals(element)) {
                return kind;
            }
        }
        return null;
    }
}
