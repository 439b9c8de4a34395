package dev.serval.examples.shop.store;

import java.sql.SQLException;

/// The database has failed. A page cannot do anything about it.
public final class DatabaseFailure extends RuntimeException {
    private static final long serialVersionUID = 1;

    DatabaseFailure(SQLException cause) {
        super("The shop's database has failed: " + cause.getMessage(), cause);
    }
}
