/// The JDBC data sources of applications: what declares them, and who opens them.
///
/// Entry type: [dev.serval.servlet.database.DatabaseOpener], which the embedder gives to the
/// container. The thread that deploys an application opens and closes its data sources; its requests
/// use them on any thread. Source: the element `data-source` of Jakarta EE's descriptors. Depends on
/// no other package.
@NullMarked
package dev.serval.servlet.database;

import org.jspecify.annotations.NullMarked;
