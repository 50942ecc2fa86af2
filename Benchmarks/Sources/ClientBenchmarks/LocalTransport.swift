import Foundation
import Measuring
import Tributary

/// Answers for settings within the process; batches go to a server, or wait for an answer that never comes.
struct LocalTransport: Transport {
    /// The settings document; nil is a settings host that never answers.
    var settings: [UInt8]?
    /// Whether batches go over the network.
    var delivers = false
    private let network = SystemTransport()

    init(settings: [UInt8]?, delivers: Bool = false) {
        self.settings = settings
        self.delivers = delivers
    }

    func send(
        _ request: TransportRequest,
        completion: @escaping @Sendable (Result<TransportResponse, TransportError>) -> Void
    ) {
        if request.method == "GET" {
            if let settings { completion(.success(TransportResponse(status: 200, body: settings))) }
        } else if delivers {
            network.send(request, completion: completion)
        }
    }

    /// Settings with the cloud destination and that many others, each with options like real ones.
    static func settings(integrations count: Int = 0, named prefix: String = "Destination") -> [UInt8] {
        let others = (0..<count).map { number in
            #","\#(prefix) \#(number)":{"apiKey":"key-\#(number)","trackPages":true,"sampling":0.5,"events":["a","b"]}"#
        }
        return Array((#"{"integrations":{"Segment.io":{"apiKey":"KEY"}"# + others.joined() + "}}").utf8)
    }
}
