package dev.serval.file;

/// Which symbolic links below a root are followed. Links on the way to the root itself always are,
/// because the operator has written that path.
public enum Links {
    /// None.
    NEVER,
    /// Those that lead to a path inside the root.
    INSIDE,
    /// Those that belong to the owner of what they lead to, inside the root or not, as
    /// SymLinksIfOwnerMatch of Apache. So a user who may write into a folder cannot serve the files
    /// of others by a link.
    OWNER,
    /// All. Who may write into the root can then serve every file that the server can read.
    FOLLOW
}
