public import Dispatch

/// For plugins whose delivery takes time: the completion of `Analytics.flush` waits for them.
///
/// Such a plugin gets this call instead of `EventPlugin.flush()`, on the thread that it gets its events on.
public protocol FlushCompletion {
    /// The app asks for delivery. The plugin enters the group for as long as it is at it, and leaves it when it is done;
    /// entering has to happen before this returns.
    ///
    /// A plugin that has not left the group after 30 s is named in a diagnostic, and the flush no longer waits for it.
    func flush(group: DispatchGroup)
}
