/// Call detail records: one for each UsageIndication, written durably before it is confirmed.
///
/// Entry type: [dev.serval.examples.osp.record.RecordWriter]. Its thread owns the store; other
/// threads only queue records and wait. The package uses only the JDK, and a JDBC driver that the
/// caller puts on the class path.
@NullMarked
package dev.serval.examples.osp.record;

import org.jspecify.annotations.NullMarked;
