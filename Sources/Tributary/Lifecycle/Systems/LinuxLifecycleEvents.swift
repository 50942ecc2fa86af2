#if os(Linux)
/// For plugins that want to know what happens to a program on Linux; every function is optional.
///
/// The functions are called on a thread of the library's, one after the other, and only in a program that installed
/// ``LinuxLifecycle``.
public protocol LinuxLifecycleEvents {
    /// The program was started.
    func applicationDidFinishLaunching()
    /// The program got a signal that `LinuxLifecycle.install(signals:)` was told of. What it did with the signal before
    /// follows when every plugin has returned: mostly, that it ends.
    func applicationDidReceiveSignal(_ signal: Int32)
}

extension LinuxLifecycleEvents {
    public func applicationDidFinishLaunching() {}
    public func applicationDidReceiveSignal(_ signal: Int32) {}
}
#endif
