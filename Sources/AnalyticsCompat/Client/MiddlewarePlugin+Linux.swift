#if os(Linux)
extension MiddlewarePlugin: LinuxLifecycleEvents {
    func applicationDidFinishLaunching() { happened(.didFinishLaunching, name: "applicationDidFinishLaunching") }
}
#endif
