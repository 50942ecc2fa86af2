#if os(Linux)
extension Bridge: LinuxLifecycleEvents {
    func applicationDidFinishLaunching() { happened(.didFinishLaunching, name: "applicationDidFinishLaunching") }
}
#endif
