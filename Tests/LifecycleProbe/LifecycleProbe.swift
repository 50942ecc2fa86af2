import Foundation
import Tributary

/// A program that is ended by a signal: what `LinuxLifecycleTests` starts.
///
///     LifecycleProbe FOLDER (default | handler | ignore | none | identity | http…)
///
/// It says `ready` when it waits for signals. The word says what it did with SIGTERM before the library came: nothing, a
/// handler that says `earlier` and ends the program with status 7, or ignoring it; `none` leaves the library out.
/// `identity` says who the user is instead, and for each further line that it reads makes that the user. An address gets one
/// request over the system's transport, and its status is said. `exit` ends the program while requests are under way, see
/// `ExitProbe`.
@main
enum LifecycleProbe {
    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count >= 3 else { exit(64) }
        // Whoever started it may have blocked signals; and a test that forgets about it must not leave it behind.
        var none = sigset_t()
        sigemptyset(&none)
        sigprocmask(SIG_SETMASK, &none, nil)
        alarm(60)
        switch arguments[2] {
        case "handler": signal(SIGTERM, sayEarlier)
        case "ignore": signal(SIGTERM, SIG_IGN)
        default: break
        }
        #if os(Linux)
        if arguments[2] == "exit" { return ExitProbe.run(arguments[1], Array(arguments.dropFirst(3))) }
        if arguments[2].hasPrefix("http") { return post(to: arguments[2]) }
        #endif
        let configuration = Configuration(writeKey: "KEY").storageMode(
            .diskAtURL(URL(fileURLWithPath: arguments[1]))
        ).apiHost("http://127.0.0.1:1/v1").cdnHost("http://127.0.0.1:1/v1").migration(.off)
        let analytics = Analytics(configuration: configuration)
        if arguments[2] == "identity" { return answer(for: analytics) }
        analytics.add(plugin: Listener())
        if arguments[2] != "none" {
            analytics.add(plugin: LinuxLifecycle(version: "1.2", build: "3"))
            LinuxLifecycle.install(signals: [SIGTERM])
        }
        say("ready\n")
        while true { pause() }
    }

    #if os(Linux)
    private static func post(to address: String) {
        guard let url = URL(string: address) else { exit(64) }
        let done = DispatchSemaphore(value: 0)
        CurlTransport().send(TransportRequest(method: "POST", url: url, body: [UInt8]("{}".utf8), deadline: 30)) {
            if case .success(let answer) = $0 { say("\(answer.status)\n") } else { say("failure\n") }
            done.signal()
        }
        done.wait()
    }
    #endif

    /// The client lives until there are no more lines, so that several processes have theirs at the same time.
    private static func answer(for analytics: Analytics) {
        repeat {
            say("\(analytics.anonymousId) \(analytics.userId ?? "-")\n")
            guard let user = readLine() else { return }
            analytics.identify(userId: user)
        } while true
    }

    static func say(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}

/// On whatever thread the signal comes to.
private func sayEarlier(_ signal: Int32) {
    _ = "earlier\n".withCString { write(1, $0, 8) }
    _exit(7)
}

/// Unchecked because it has no state but `analytics`, which is set once.
final class Listener: Plugin, LinuxLifecycleEvents, @unchecked Sendable {
    let type = PluginType.utility
    weak var analytics: Analytics?

    func applicationDidFinishLaunching() { LifecycleProbe.say("launched\n") }
    func applicationDidReceiveSignal(_ signal: Int32) { LifecycleProbe.say("signal \(signal)\n") }
}
