import Tributary

struct Client: ComparedClient {
    private let analytics: Analytics

    init(host: String) {
        analytics = Analytics(
            configuration: Configuration(writeKey: "KEY").apiHost("http://\(host)").cdnHost("http://\(host)"))
    }

    func track(_ name: String) {
        analytics.track(
            name: name,
            properties: ["product": "P-1", "price": 19.9, "quantity": 2, "currency": "EUR", "isGift": false])
    }

    func flush() { analytics.flush() }
}
