/// A parser that arbitrary bytes are given to. What is wrong ends the process: that is how libFuzzer learns of it.
enum FuzzTarget: String, CaseIterable {
    case journal
    case json
    case filters
    case settings
    case inboxRecord = "inbox-record"
    case script
    case guards
    case tables
    case golden
    case rules

    func run(_ bytes: [UInt8]) {
        switch self {
        case .journal: JournalFuzzing.run(bytes)
        case .json: JSONFuzzing.run(bytes)
        case .filters: FilterFuzzing.run(bytes)
        case .settings: SettingsFuzzing.run(bytes)
        case .inboxRecord: InboxRecordFuzzing.run(bytes)
        case .script: ScriptFuzzing.run(bytes)
        case .guards: GuardFuzzing.run(bytes)
        case .tables: TableFuzzing.run(bytes)
        case .golden: GoldenFuzzing.run(bytes)
        case .rules: RuleFuzzing.run(bytes)
        }
    }
}

/// Ends the process when something is not so.
func require(_ isSo: Bool, _ what: @autoclosure () -> String) {
    if !isSo { fatalError(what()) }
}
