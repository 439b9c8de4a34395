/// An on-line bookstore: the shop as a whole, its settings, its start and its end.
///
/// Entry types: [dev.serval.examples.shop.ShopStart], which the container calls,
/// [dev.serval.examples.shop.Shop], which the servlets of `web` use, and
/// [dev.serval.examples.shop.ShopTool] on the command line. The package uses `store`, `sample` and
/// `cover`.
@NullMarked
package dev.serval.examples.shop;

import org.jspecify.annotations.NullMarked;
