@testable import Tributary
import TributaryJSON

/// Whatever a server sends as settings, the client can be run by it.
enum SettingsFuzzing {
    private static let delivery = DeliverySettings(values: Configuration(writeKey: "KEY").values) { _ in }

    static func run(_ bytes: [UInt8]) {
        guard let json = try? JSON.parse(bytes) else { return }
        run(json)
        run(["integrations": json])
        run(["integrations": ["Segment.io": json]])
        run(["integrations": ["Segment.io": ["httpConfig": json]]])
    }

    private static func run(_ json: JSON) {
        guard let document = json.objectValue else { return }
        let settings = Settings(document: document)
        _ = settings.hasIntegration("Segment.io")
        _ = settings.integrationSettings(forKey: "Segment.io")
        _ = delivery.read(settings)
    }
}
