public import TributaryJSON
import WorkspaceCore

/// The request of the server to the process that tries a bundle.
public struct PluginTrialRequest: Sendable {
    /// The input for a bundle.
    public enum Sample: Sendable, Equatable {
        /// Events for the plugins, in the order in which they are given to them.
        case events([JSON])
        /// Signals of one session for `processSignal`, in their order.
        case signals([JSON])
    }

    /// The text of the bundle.
    public let source: String
    /// The sample for the trial.
    public let sample: Sample
    /// The destinations and the stored events of the source; nil when they are not known.
    public let known: PluginTrialKnowledge?

    /// The limits of the text of a request.
    public static let limits = JSONLimits(depth: Limits.depth + 2, bytes: 2 * Limits.trialBytes)

    init(source: String, sample: Sample, known: PluginTrialKnowledge? = nil) {
        (self.source, self.sample, self.known) = (source, sample, known)
    }

    /// Reads a request; nil when it has no source, or neither a list of events nor one of signals.
    public init?(_ json: JSON) {
        guard let source = json["source"]?.stringValue else { return nil }
        let known: PluginTrialKnowledge? = json["known"]?.codableValue()
        if let events = json["events"]?.elements {
            self.init(source: source, sample: .events(events), known: known)
        } else if let signals = json["signals"]?.elements {
            self.init(source: source, sample: .signals(signals), known: known)
        } else {
            return nil
        }
    }

    var json: JSON {
        get throws {
            var json: JSON = ["source": .string(source)]
            switch sample {
            case .events(let events): json["events"] = .array(events)
            case .signals(let signals): json["signals"] = .array(signals)
            }
            json["known"] = try known.map { try JSON(with: $0) }
            return json
        }
    }
}

/// What the workspace knows about the source of a bundle, for the review of the bundle.
public struct PluginTrialKnowledge: Sendable, Equatable, Codable {
    /// The destinations of the settings, of forwarding and of the newest events.
    public let destinations: [String]
    /// How many events of each type and name are stored; an event without a name has the name "".
    public let events: [String: [String: Int]]
}
