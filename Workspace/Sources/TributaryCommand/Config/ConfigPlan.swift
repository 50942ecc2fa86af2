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

    /// The losses that the steps cause for good, one in each line.
    func losses(_ client: AdministrationClient) async throws -> [String] {
        var losses: [String] = []
        for step in steps {
            for change in step.changes {
                switch change {
                case .revokeKey(let key):
                    losses.append("\(step.writeKey): \(KeyRevoke.loss(key.key, name: key.name))")
                case .removeDestination(let name):
                    let source = try client.below("api/sources", named: step.writeKey)
                    let destination = try await source.below("destinations", named: name).get("")
                    losses.append("\(step.writeKey): \(DestinationRemove.loss(destination, name: name))")
                default: break
                }
            }
        }
        return losses
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
