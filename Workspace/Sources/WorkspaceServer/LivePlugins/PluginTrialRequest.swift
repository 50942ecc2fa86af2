public import TributaryJSON
package import WorkspaceCore

/// The request of the server to the process that tries a bundle.
public struct PluginTrialRequest: Sendable {
    /// The input for a bundle.
    public enum Sample: Sendable, Equatable {
        /// Events for the plugins, in the order in which they are given to them.
        case events([JSON])
        /// Signals of one session for `processSignal`, in their order.
        case signals([JSON])
        /// A file of golden sessions, of which the results under the bundle are wanted.
        case golden(String)
        /// A file of golden sessions, and the text of another bundle with which the results are compared.
        case review(golden: String, base: String)
    }

    /// The text of the bundle.
    public let source: String
    /// The sample for the trial.
    public let sample: Sample
    /// The destinations and the stored events of the source; nil when they are not known.
    public let known: PluginTrialKnowledge?
    /// The versions of the app that restrict scripts.
    package var apps: [AppRestriction] = []
    /// How many devices reported, with a version of the app or without one.
    package var devices = 0

    /// The limits of the text of a request.
    public static let limits = JSONLimits(depth: Limits.depth + 2, bytes: 2 * Limits.trialBytes)

    init(source: String, sample: Sample, known: PluginTrialKnowledge? = nil, apps: ReportedApps = ReportedApps()) {
        (self.source, self.sample, self.known) = (source, sample, known)
        self.apps = Array(apps.restrictions.prefix(Limits.trialApps))
        devices = apps.devices
    }

    /// Reads a request; nil when it has no source, or none of the samples.
    public init?(_ json: JSON) {
        guard let source = json["source"]?.stringValue else { return nil }
        let known: PluginTrialKnowledge? = json["known"]?.codableValue()
        if let events = json["events"]?.elements {
            self.init(source: source, sample: .events(events), known: known)
        } else if let signals = json["signals"]?.elements {
            self.init(source: source, sample: .signals(signals), known: known)
        } else if let golden = json["golden"]?.stringValue {
            let base = json["base"]?.stringValue
            self.init(source: source, sample: base.map { .review(golden: golden, base: $0) } ?? .golden(golden))
        } else {
            return nil
        }
        apps = (json["apps"]?.elements ?? []).map(AppRestriction.init)
        devices = json["devices"]?.intValue ?? 0
    }

    var json: JSON {
        get throws {
            var json: JSON = ["source": .string(source)]
            switch sample {
            case .events(let events): json["events"] = .array(events)
            case .signals(let signals): json["signals"] = .array(signals)
            case .golden(let golden): json["golden"] = .string(golden)
            case .review(let golden, let base): (json["golden"], json["base"]) = (.string(golden), .string(base))
            }
            if !apps.isEmpty {
                json["apps"] = .array(apps.map { .object($0.json) })
                json["devices"] = .number(devices)
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
