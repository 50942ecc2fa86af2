import Foundation
import Segment

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

struct Client: ComparedClient {
    private let analytics: Analytics

    init(host: String) {
        let configuration = Configuration(writeKey: "KEY").apiHost(host).cdnHost(host)
        // The client always asks with TLS, and the server of the comparison has none.
        configuration.requestFactory { request in
            var plain = request
            if let url = request.url, var parts = URLComponents(url: url, resolvingAgainstBaseURL: false) {
                parts.scheme = "http"
                plain.url = parts.url
            }
            return plain
        }
        analytics = Analytics(configuration: configuration)
    }

    func track(_ name: String) {
        analytics.track(
            name: name,
            properties: ["product": "P-1", "price": 19.9, "quantity": 2, "currency": "EUR", "isGift": false])
    }

    func flush() { analytics.flush() }
}
