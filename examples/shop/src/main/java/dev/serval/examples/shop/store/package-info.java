/// The shop's database: its tables, and the queries and changes of the pages, by plain JDBC.
///
/// Entry types: [dev.serval.examples.shop.store.Database] opens it,
/// [dev.serval.examples.shop.store.Purchases] sells books, and [dev.serval.examples.shop.store.Audit]
/// checks that the sums agree. All methods may be called by any thread. The package uses JDBC and
/// HikariCP only.
@NullMarked
package dev.serval.examples.shop.store;

import org.jspecify.annotations.NullMarked;
