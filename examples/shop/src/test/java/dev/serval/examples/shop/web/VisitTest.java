package dev.serval.examples.shop.web;

import static org.assertj.core.api.Assertions.assertThat;

import dev.serval.examples.shop.store.Address;
import dev.serval.examples.shop.store.Customer;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

final class VisitTest {
    private static final Customer ANN =
            new Customer(7, "ann", "Ann", "Ash", "a@b", new Address("Ann Ash", "s", "t", "p", "c"));

    private final Visit visit =
            new Visit("token", "ticket", 0, "", Cart.EMPTY.plus(3).plus(4).plus(3));

    @Test
    void visitCanBeStored() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(visit);
        }
        try (ObjectInputStream in =
                new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            assertThat(in.readObject()).isEqualTo(visit);
        }
    }

    @Test
    void tokenChangesAtSignInAndCartAndTicketStay() {
        Visit signedIn = visit.of(ANN);
        assertThat(signedIn.isSignedIn()).isTrue();
        assertThat(signedIn.customer()).isEqualTo(7);
        assertThat(signedIn.owns("token")).isFalse();
        assertThat(signedIn.cart()).isEqualTo(visit.cart());
        assertThat(signedIn.ticket()).isEqualTo("ticket");
    }

    @Test
    void purchaseEmptiesTheCartAndTakesAnotherTicket() {
        Visit after = visit.of(ANN).bought("ticket", visit.cart());
        assertThat(after.cart().copies()).isZero();
        assertThat(after.ticket()).isNotEqualTo("ticket").hasSize(32);
        assertThat(after.customer()).isEqualTo(7);
    }

    /// As when another tab adds a book while this one buys.
    @Test
    void purchaseLeavesWhatCameMeanwhile() {
        Cart more = visit.cart().plus(3).plus(5);
        Visit after = visit.with(more).bought("ticket", visit.cart());
        assertThat(after.cart()).isEqualTo(Cart.EMPTY.plus(3).plus(5));
        assertThat(after.bought("ticket", visit.cart())).isSameAs(after);
    }

    /// As when a customer signs out while another form is on its way.
    @Test
    void visitOfAnEndedSessionStartsNoOther() {
        HttpServletRequest request =
                (HttpServletRequest)
                        Proxy.newProxyInstance(
                                VisitTest.class.getClassLoader(),
                                new Class<?>[] {HttpServletRequest.class},
                                (_, method, arguments) -> {
                                    assertThat(method.getName()).isEqualTo("getSession");
                                    assertThat(arguments).containsExactly(false);
                                    return null;
                                });
        Visit.change(request, now -> now.of(ANN));
        assertThat(Visit.signedIn(request)).isNull();
    }

    @Test
    void onlyTheSameTokenIsOwn() {
        assertThat(visit.owns("token")).isTrue();
        assertThat(visit.owns("Token")).isFalse();
        assertThat(visit.owns("")).isFalse();
    }
}
