public import Dispatch

/// For plugins that take time to deliver: the completion of `Analytics.flush` waits for them.
///
/// Such a plugin gets this call in place of `EventPlugin.flush()`, on the thread on which it gets events.
public protocol FlushCompletion {
    /// The app flushes. The plugin enters the group before this returns, and leaves it when its delivery is done.
    ///
    /// After 30 s a diagnostic names a plugin that has not left the group, and the flush no longer waits for it.
    func flush(group: DispatchGroup)
}
