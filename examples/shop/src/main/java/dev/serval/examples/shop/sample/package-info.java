/// Invents the books, customers and purchases of a new database, always the same for the same
/// numbers.
///
/// Entry type: [dev.serval.examples.shop.sample.Sample]. One thread makes a database. The package
/// uses `store`.
@NullMarked
package dev.serval.examples.shop.sample;

import org.jspecify.annotations.NullMarked;
