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
