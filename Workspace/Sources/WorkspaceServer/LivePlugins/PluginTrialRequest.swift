public import TributaryJSON

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

    /// The limits of the text of a request.
    public static let limits = JSONLimits(depth: Limits.depth + 2, bytes: 2 * Limits.trialBytes)

    init(source: String, sample: Sample) {
        self.source = source
        self.sample = sample
    }

    /// Reads a request; nil when it has no source, or neither a list of events nor one of signals.
    public init?(_ json: JSON) {
        guard let source = json["source"]?.stringValue else { return nil }
        if let events = json["events"]?.elements {
            self.init(source: source, sample: .events(events))
        } else if let signals = json["signals"]?.elements {
            self.init(source: source, sample: .signals(signals))
        } else {
            return nil
        }
    }

    var json: JSON {
        switch sample {
        case .events(let events): ["source": .string(source), "events": .array(events)]
        case .signals(let signals): ["source": .string(source), "signals": .array(signals)]
        }
    }
}
