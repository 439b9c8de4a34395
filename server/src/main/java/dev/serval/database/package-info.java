/// Pools of connections to the databases of applications.
///
/// Entry type: [dev.serval.database.PooledSources], which the server gives to the servlet container.
/// The thread that deploys an application opens its pools; threads of requests use them; a pool has
/// threads of its own that connect. Source: JDBC 4.3. Depends on `dev.serval.servlet.database` and
/// HikariCP.
@NullMarked
package dev.serval.database;

import org.jspecify.annotations.NullMarked;
