import Foundation
import Tributary

/// A program that is ended by a signal: what `LinuxLifecycleTests` starts.
///
///     LifecycleProbe FOLDER (default | handler | ignore | none)
///
/// It says `ready` when it waits for signals. The word says what it did with SIGTERM before the library came: nothing, a
/// handler that says `earlier` and ends the program with status 7, or ignoring it; `none` leaves the library out.
@main
enum LifecycleProbe {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count == 3 else { exit(64) }
        // Whoever started it may have blocked signals; and a test that forgets about it must not leave it behind.
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        alarm(60)
        switch arguments[2] {
        case "handler":
            signal(SIGTERM) { _ in
                _ = "earlier\n".withCString { write(1, $0, 8) }
                _exit(7)
            }
        case "ignore": signal(SIGTERM, SIG_IGN)
        default: break
        }
        let configuration = Configuration(writeKey: "KEY").storageMode(
            .diskAtURL(URL(fileURLWithPath: arguments[1]))
        ).apiHost("http://127.0.0.1:1/v1").cdnHost("http://127.0.0.1:1/v1").migration(.off)
        let analytics = Analytics(configuration: configuration)
        analytics.add(plugin: Listener())
        if arguments[2] != "none" {
            analytics.add(plugin: LinuxLifecycle(version: "1.2", build: "3"))
            LinuxLifecycle.install(signals: [SIGTERM])
        }
        say("ready\n")
        while true { pause() }
    }

    static func say(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}

/// Unchecked because it has no state but `analytics`, which is set once.
final class Listener: Plugin, LinuxLifecycleEvents, @unchecked Sendable {
    let type = PluginType.utility
    weak var analytics: Analytics?

    func applicationDidFinishLaunching() { LifecycleProbe.say("launched\n") }
    func applicationDidReceiveSignal(_ signal: Int32) { LifecycleProbe.say("signal \(signal)\n") }
}
