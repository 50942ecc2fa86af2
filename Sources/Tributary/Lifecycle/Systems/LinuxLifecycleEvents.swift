#if os(Linux)
/// For plugins that observe the lifecycle of a program on Linux; every function is optional.
///
/// The functions are called one after the other on a thread of the library, and only in a program with
/// ``LinuxLifecycle``.
public protocol LinuxLifecycleEvents {
    /// The program was started.
    func applicationDidFinishLaunching()
    /// The program got a signal of `LinuxLifecycle.install(signals:)`. When every plugin has returned, the program's
    /// earlier reaction follows; usually the program ends.
    func applicationDidReceiveSignal(_ signal: Int32)
}

extension LinuxLifecycleEvents {
    public func applicationDidFinishLaunching() {}
    public func applicationDidReceiveSignal(_ signal: Int32) {}
}
#endif
