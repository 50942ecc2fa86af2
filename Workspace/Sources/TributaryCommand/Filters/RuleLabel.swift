/// How reports name a rule.
enum RuleLabel {
    static func text(rule: Int, name: String?, destination: String?) -> String {
        let name = name.map { " \"\($0)\"" } ?? ""
        let destination = destination.map { " (\($0))" } ?? ""
        return "rule \(rule)\(name)\(destination)"
    }
}
