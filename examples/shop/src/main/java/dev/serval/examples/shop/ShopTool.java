package dev.serval.examples.shop;

import dev.serval.examples.shop.sample.Sample;
import dev.serval.examples.shop.store.Audit;
import dev.serval.examples.shop.store.Database;
import dev.serval.examples.shop.store.PasswordHash;
import java.io.PrintStream;
import java.util.List;

/// Creates and checks databases of the shop, as a program:
///
/// ```
/// java -cp 'WEB-INF/classes:WEB-INF/lib/*' dev.serval.examples.shop.ShopTool create URL BOOKS CUSTOMERS ROUNDS
/// java -cp 'WEB-INF/classes:WEB-INF/lib/*' dev.serval.examples.shop.ShopTool check URL
/// ```
///
/// It ends with 0 if all is well, with 1 if the sums do not agree or the database fails, and with 2 if
/// it was called wrongly.
public final class ShopTool {
    private static final int WRONG_CALL = 2;

    private ShopTool() {}

    /// Runs the program.
    public static void main(String[] arguments) {
        System.exit(run(List.of(arguments), System.out));
    }

    static int run(List<String> arguments, PrintStream out) {
        try {
            if (arguments.size() == 5 && arguments.getFirst().equals("create")) {
                return create(arguments, out);
            }
            if (arguments.size() == 2 && arguments.getFirst().equals("check")) {
                return check(arguments.get(1), out);
            }
        } catch (IllegalArgumentException e) { // of a number or the URL
            out.println(e.getMessage());
        }
        out.println("Use: create URL BOOKS CUSTOMERS ROUNDS, or: check URL");
        return WRONG_CALL;
    }

    private static int create(List<String> arguments, PrintStream out) {
        Sample sample =
                new Sample(
                        Integer.parseInt(arguments.get(2)),
                        Integer.parseInt(arguments.get(3)),
                        new PasswordHash(Integer.parseInt(arguments.get(4))));
        try (Database database = Database.open(arguments.get(1), "", "", 1)) {
            out.println(
                    sample.fill(database)
                            ? "The database is complete."
                            : "The database was complete already.");
        }
        return 0;
    }

    private static int check(String url, PrintStream out) {
        try (Database database = Database.open(url, "", "", 1)) {
            List<String> faults = database.read(Audit::faults);
            faults.forEach(out::println);
            if (faults.isEmpty()) {
                out.println("Purchases, stock and payments agree.");
            }
            return faults.isEmpty() ? 0 : 1;
        }
    }
}
