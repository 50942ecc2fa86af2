import Foundation
import TributaryJSON

/// Which settings a client has, as its reports say it. A server that stopped something on devices can so count who heard of it.
struct HeardSettings: Sendable, Equatable {
    /// The number of the newest stop in the settings; 0 for none.
    let stop: Int
    /// Seconds between two looks at the settings; 0 when the client looks only at its start.
    var interval: Int

    /// The same while a server holds requests: so long after a change the client has it at the latest, on a slow line too.
    static let heldSeconds = 5

    /// - Parameter own: the interval that the app chose.
    init(_ settings: Settings, own: TimeInterval) {
        stop = settings.document["stopNumber"]?.count ?? 0
        let asked = settings.document["settingsInterval"]?.doubleValue
        interval = Int(clamping: SettingsPace.interval(own: own, asked: asked))
    }

    var json: JSON { ["stop": .number(JSONNumber(stop)), "interval": .number(JSONNumber(interval))] }
}
