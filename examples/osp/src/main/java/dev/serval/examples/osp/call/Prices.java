package dev.serval.examples.osp.call;

import dev.serval.examples.osp.message.Component;
import dev.serval.examples.osp.message.Element;
import dev.serval.examples.osp.message.OspStatus;
import dev.serval.examples.osp.message.OspTime;
import java.math.BigDecimal;
import org.jspecify.annotations.Nullable;

/// Checks prices that a gateway or a carrier announces, and logs them. Announced prices do not
/// change the route table, because that file says what calls cost. Stateless.
final class Prices {
    private static final System.Logger LOG = System.getLogger(Prices.class.getName());

    private final OspTime time;

    Prices(OspTime time) {
        this.time = time;
    }

    Answer answer(Component component) {
        String problem = problem(component.element());
        if (problem != null) {
            return Answer.refuse(component, time.now(), OspStatus.BAD_REQUEST, problem);
        }
        Element price = component.element();
        LOG.log(
                System.Logger.Level.DEBUG,
                () ->
                        "price for "
                                + printable(price.text("DestinationInfo"))
                                + ": "
                                + printable(price.text("Amount"))
                                + ' '
                                + printable(price.text("Currency")));
        return Answer.refuse(component, time.now(), OspStatus.SUCCESS, "");
    }

    /// Returns what is wrong with a price, or null.
    static @Nullable String problem(Element price) {
        BigDecimal amount = decimal(price.text("Amount"));
        if (amount == null) {
            return "Amount must be a number that is not negative";
        }
        if (!price.text("Currency").matches("[A-Z]{3}")) {
            return "Currency must be three capital letters";
        }
        String increment = price.text("Increment");
        if (!increment.isEmpty()) {
            BigDecimal number = decimal(increment);
            if (number == null || number.signum() == 0) {
                return "Increment must be a number above 0";
            }
        }
        for (String limit : new String[] {"ValidAfter", "ValidUntil"}) {
            String text = price.text(limit);
            if (!text.isEmpty() && OspTime.second(text) == null) {
                return limit + " must be a time such as 2026-01-31T12:00:00Z";
            }
        }
        return null;
    }

    /// Returns a number of at most 18 digits, or null.
    static @Nullable BigDecimal decimal(String text) {
        return text.matches("[0-9]{1,12}(\\.[0-9]{1,6})?") ? new BigDecimal(text) : null;
    }

    private static String printable(String text) {
        return text.replaceAll("[^ -~]", ".");
    }
}
