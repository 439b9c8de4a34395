package dev.serval.servlet.context;

/// The life of a servlet (Servlet 6.1 §2.3).
///
/// ```
///                  init returned                 service: for good
///   NEW ──────────────────────────► AVAILABLE ──────────────────────► REMOVED
///   │ │ ▲                           │       ▲                         ▲   ▲
///   │ │ └─ init failed ─┐  service: │       │ the time has passed,    │   │
///   │ │                 │  for a    │       │ and init returned       │   │
///   │ │ init:           │  time     ▼       │ unless it had before    │   │
///   │ └───────────────► SUSPENDED ◄─┘───────┘                         │   │
///   │   for a time      └──────────── init: for good ─────────────────┘   │
///   └──────────────────────────────── init: for good ─────────────────────┘
/// ```
///
/// "For good" and "for a time" are kinds of UnavailableException.
/// An `init` that fails in another way leaves NEW, and the next request tries again with a new
/// instance. Every state leads to DESTROYED when the application stops.
enum ServletState {
    /// No instance yet.
    NEW,
    /// An instance serves requests.
    AVAILABLE,
    /// No request is served until a time. There may be an instance.
    SUSPENDED,
    /// No request is ever served again. An instance stays until the stop, because requests may still
    /// be inside it.
    REMOVED,
    /// The application has stopped, and there is no instance.
    DESTROYED
}
