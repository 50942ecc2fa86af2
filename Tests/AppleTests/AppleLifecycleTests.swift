import Testing

/// One after the other, because the notification centre is one for all.
@Suite("Lifecycle on Apple's systems", .serialized)
enum AppleLifecycleTests {}
