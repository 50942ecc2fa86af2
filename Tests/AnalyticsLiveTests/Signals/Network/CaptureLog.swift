import Foundation
import TestSupport
import Tributary
import TributaryJSON

@testable import AnalyticsLive

/// Writes down what is captured of the requests to one server.
///
/// A response is told before the app hears of it, so nobody has to wait for one.
final class CaptureLog: Sendable {
    private let seen = LockBox<[NetworkData]>([])
    private let on = LockBox(true)

    var data: [NetworkData] { seen.withLock { $0 } }
    var requests: [NetworkData] { data.filter { $0.action == .request } }
    var responses: [NetworkData] { data.filter { $0.action == .response } }
    var isOn: Bool {
        get { on.withLock { $0 } }
        set { on.withLock { $0 = newValue } }
    }

    init(_ server: LoopbackServer) {
        let rules = NetworkRules(allowed: ["127.0.0.1:\(server.port)"], blocked: [])
        let listener = NetworkCapture.Listener(rules: rules) { [weak self] in
            self?.isOn ?? false
        } take: { [weak self] data in
            self?.seen.withLock { $0.append(data) }
        }
        NetworkRegistration.registerOnce()
        NetworkCapture.shared.set(listener, for: self)
    }

    func stop() { NetworkCapture.shared.set(nil, for: self) }
}

extension LoopbackServer {
    func url(_ path: String) -> URL? { URL(string: "http://127.0.0.1:\(port)\(path)") }

    static func answer(_ status: String, _ headers: String = "", body: String = "") -> String {
        "HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\(headers)\r\n\(body)"
    }

    static func json(_ body: String, _ headers: String = "") -> String {
        answer("200 OK", "Content-Type: application/json; charset=utf-8\r\n" + headers, body: body)
    }
}
