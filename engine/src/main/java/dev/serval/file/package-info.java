/// Serves static files as a [dev.serval.handler.Handler]. It finds files without leaving their
/// folder and caches the frequent ones. It answers by RFC 9110: validators and conditions (§8.8,
/// §13), ranges (§14), HEAD and OPTIONS.
///
/// Entry type: [dev.serval.file.FileHandler] for a folder or a file. Owner thread: handlers are
/// called on any loop and share the cache, which loops read without a lock. Only tasks on
/// `ExecutorKind.DISK` read the disk and write the cache, under its lock. Depends on `http`,
/// `handler`, `exchange`, and for the state of open files on `net`.
@NullMarked
package dev.serval.file;

import org.jspecify.annotations.NullMarked;
