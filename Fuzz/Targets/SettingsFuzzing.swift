@testable import AnalyticsLive
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
        runBundle(json)
        let head = LogHead(size: 3, root: Array(repeating: 0, count: 32))
        _ = LogStep(.success(TransportResponse(status: 200, body: bytes)), since: LogHead(size: 2, root: []), to: head)
    }

    /// The part of the settings about live plugins, with the proof that the version stands in the log.
    private static func runBundle(_ json: JSON) {
        guard let reference = BundleReference(edgeFunction: json, device: "device") else { return }
        _ = LogStep(
            version: reference.version, sha256: reference.sha256 ?? "", proof: reference.log, seen: LogHead(json["seen"]))
    }

    private static func run(_ json: JSON) {
        guard let document = json.objectValue else { return }
        let settings = Settings(document: document)
        _ = settings.hasIntegration("Segment.io")
        _ = settings.integrationSettings(forKey: "Segment.io")
        _ = delivery.read(settings)
    }
}
