import TributaryJSON

/// The steps that give a workspace the configuration of a folder.
struct ConfigPlan {
    struct Step {
        let writeKey: String
        let changes: [ConfigChange]
    }

    let steps: [Step]
    /// Sources of the workspace that the folder does not contain.
    let untouched: [String]

    init(from current: WorkspaceConfig, to wanted: WorkspaceConfig) {
        let known = Dictionary(current.sources.map { ($0.writeKey, $0) }, uniquingKeysWith: { first, _ in first })
        steps = wanted.sources.compactMap { source in
            let changes = ConfigChange.between(known[source.writeKey], source)
            return changes.isEmpty ? nil : Step(writeKey: source.writeKey, changes: changes)
        }
        let named = Set(wanted.sources.map(\.writeKey))
        untouched = current.sources.map(\.writeKey).filter { !named.contains($0) }
    }

    var changes: Int { steps.reduce(0) { $0 + $1.changes.count } }

    /// The losses that the steps cause for good, one in each line. Filter rules and live plugins have versions, so they are not
    /// lost.
    func losses(_ client: AdministrationClient) async throws -> [String] {
        var losses: [String] = []
        for step in steps {
            for change in step.changes {
                losses += try await Self.losses(change, of: step.writeKey, client).map { "\(step.writeKey): \($0)" }
            }
        }
        return losses
    }

    private static func losses(
        _ change: ConfigChange, of writeKey: String, _ client: AdministrationClient
    ) async throws -> [String] {
        switch change {
        case .revokeKey(let key): return [KeyRevoke.loss(key.key, name: key.name)]
        case .removeDestination(let name):
            let source = try client.below("api/sources", named: writeKey)
            let destination = try await source.below("destinations", named: name).get("")
            return [DestinationRemove.loss(destination, name: name)]
        case .plan(let after, let before): return PlanLosses.lines(from: before, to: after)
        case .integrations(let changes, let before):
            return changes.flatMap { name, after in
                let old = before[name] ?? .null
                guard let settings = after.objectValue else { return SettingsDestinationRemove.losses(name, old) }
                return SettingsDestinationSet.losses(name, from: old.objectValue ?? [:], to: settings)
            }
        default: return []
        }
    }

    func show() {
        let style = OutputStyle.output
        for step in steps {
            print(style.bold(step.writeKey))
            for line in step.changes.flatMap({ $0.lines(style) }) { print(line) }
        }
        for writeKey in untouched { print("\(style.bold(writeKey)) is only in the workspace and stays as it is") }
        if steps.isEmpty { print("nothing to change") }
    }
}
