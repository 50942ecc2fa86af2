#if os(Linux)
import Foundation
import Tributary

/// Clients with requests under way, in a program that ends at a chosen moment.
///
///     LifecycleProbe FOLDER exit HOST CERTIFICATES (main | thread) MICROSECONDS CLIENTS [first]
///     LifecycleProbe FOLDER exit HOST CERTIFICATES (used | made)
///
/// The host is asked for settings and gets events; the file of certificates says whom the clients believe. The program ends on
/// its main thread or on another one, that many microseconds after the calls. With `first`, another part of the program has
/// set up the TLS library before the clients do; so it has in the second form, where a transport is used first, or made, when
/// the TLS library has cleaned up.
enum ExitProbe {
    /// What is done when the TLS library has cleaned up.
    private static let atTheEnd = LockBox<@Sendable () -> Void>({})

    static func run(_ folder: String, _ arguments: [String]) {
        guard arguments.count >= 3 else { exit(64) }
        // Registered first and so called last: what else a program takes apart gives the other threads time to go on.
        atexit {
            let work = ExitProbe.atTheEnd.current
            work()
            usleep(20_000)
        }
        if arguments.count == 3 { return endLate(arguments) }
        guard arguments.count >= 5, let wait = UInt32(arguments[3]), let count = Int(arguments[4]) else { exit(64) }
        if arguments.dropFirst(5).first == "first" { setUpTLS() }
        let clients = (0..<count).map { number in
            client("KEY\(number)", URL(fileURLWithPath: folder), host: arguments[0], authorities: arguments[1])
        }
        for client in clients {
            for number in 0..<10 { client.track(name: "E\(number)") }
            client.flush()
        }
        usleep(wait)
        guard arguments[2] == "thread" else { exit(0) }
        Thread { exit(0) }.start()
        while true { pause() }
    }

    private static func endLate(_ arguments: [String]) {
        guard let url = URL(string: arguments[0]) else { exit(64) }
        let authorities = arguments[1]
        setUpTLS()
        let transport = arguments[2] == "used" ? CurlTransport(idleSeconds: 60, authorities: authorities) : nil
        atTheEnd.withLock {
            $0 = {
                let transport = transport ?? CurlTransport(idleSeconds: 60, authorities: authorities)
                let isAnswered = DispatchSemaphore(value: 0)
                transport.send(TransportRequest(method: "GET", url: url)) { _ in isAnswered.signal() }
                // It may never be answered.
                _ = isAnswered.wait(timeout: .now() + 0.5)
            }
        }
        exit(0)
    }

    private static func client(_ writeKey: String, _ folder: URL, host: String, authorities: String) -> Analytics {
        let transport = CurlTransport(idleSeconds: 60, authorities: authorities.isEmpty ? nil : authorities)
        return Analytics(
            configuration: Configuration(writeKey: writeKey).storageMode(.diskAtURL(folder)).transport(transport)
                .apiHost(host).cdnHost(host).migration(.off))
    }

    /// As a driver of a database does that speaks TLS.
    private static func setUpTLS() {
        guard let address = dlsym(nil, "OPENSSL_init_ssl") else { return }
        typealias SetUp = @convention(c) (UInt64, UnsafeMutableRawPointer?) -> Int32
        _ = unsafeBitCast(address, to: SetUp.self)(0, nil)
    }
}
#endif
