import TributaryJSON

/// The form of `HttpConfig` in the settings.
extension HttpConfig {
    /// Reads a server's values, brings them into their range, and returns the changes that it had to make.
    ///
    /// A section applies unless it says that it does not.
    /// - Parameter base: the values of members that are missing or of the wrong kind. For a section that does not
    ///   apply, these are the library's own values.
    static func read(_ json: JSON, over base: HttpConfig) -> (config: HttpConfig, problems: [String]) {
        var reader = Reader()
        var sent = base
        if !sent.rateLimitConfig.enabled { sent.rateLimitConfig = HttpConfig.standard.rateLimitConfig }
        if !sent.backoffConfig.enabled { sent.backoffConfig = HttpConfig.standard.backoffConfig }
        if let section = reader.section("rateLimitConfig", of: json) {
            reader.read(section, into: &sent.rateLimitConfig)
        }
        if let section = reader.section("backoffConfig", of: json) {
            reader.read(section, into: &sent.backoffConfig)
        }
        let config = sent.validated()
        return (config, reader.problems + config.differences(from: sent))
    }

    /// The members with different values, as texts.
    func differences(from other: HttpConfig) -> [String] {
        var result: [String] = []
        func compare<Value: Equatable>(_ name: String, _ path: (HttpConfig) -> Value) {
            let (mine, others) = (path(self), path(other))
            if mine != others { result.append("\(name) is \(mine) instead of \(others)") }
        }
        compare("rateLimitConfig.maxRetryCount") { $0.rateLimitConfig.maxRetryCount }
        compare("maxRetryInterval") { $0.rateLimitConfig.maxRetryInterval }
        compare("backoffConfig.maxRetryCount") { $0.backoffConfig.maxRetryCount }
        compare("baseBackoffInterval") { $0.backoffConfig.baseBackoffInterval }
        compare("maxBackoffInterval") { $0.backoffConfig.maxBackoffInterval }
        compare("maxTotalBackoffDuration") { $0.backoffConfig.maxTotalBackoffDuration }
        compare("jitterPercent") { $0.backoffConfig.jitterPercent }
        let lost = Set(other.backoffConfig.statusCodeOverrides.keys).subtracting(backoffConfig.statusCodeOverrides.keys)
        if let status = lost.min() { result.append("statusCodeOverrides cannot have \(status)") }
        return result
    }

    private struct Reader {
        var problems: [String] = []

        mutating func section(_ name: String, of json: JSON) -> JSON? {
            guard let value = json[name], !value.isNull else { return nil }
            if value.objectValue == nil { problems.append("\(name) is not an object") }
            return value.objectValue == nil ? nil : value
        }

        mutating func read(_ json: JSON, into config: inout RateLimitConfig) {
            take("enabled", of: json, into: &config.enabled) { $0.boolValue }
            take("maxRetryCount", of: json, into: &config.maxRetryCount) { $0.wholeValue }
            take("maxRetryInterval", of: json, into: &config.maxRetryInterval) { $0.wholeValue }
        }

        mutating func read(_ json: JSON, into config: inout BackoffConfig) {
            take("enabled", of: json, into: &config.enabled) { $0.boolValue }
            take("maxRetryCount", of: json, into: &config.maxRetryCount) { $0.wholeValue }
            take("baseBackoffInterval", of: json, into: &config.baseBackoffInterval) { $0.doubleValue }
            take("maxBackoffInterval", of: json, into: &config.maxBackoffInterval) { $0.wholeValue }
            take("maxTotalBackoffDuration", of: json, into: &config.maxTotalBackoffDuration) { $0.wholeValue }
            take("jitterPercent", of: json, into: &config.jitterPercent) { $0.wholeValue }
            take("default4xxBehavior", of: json, into: &config.default4xxBehavior, Self.behavior)
            take("default5xxBehavior", of: json, into: &config.default5xxBehavior, Self.behavior)
            take("unknownCodeBehavior", of: json, into: &config.unknownCodeBehavior, Self.behavior)
            take("statusCodeOverrides", of: json, into: &config.statusCodeOverrides, Self.overrides)
        }

        private mutating func take<Value>(
            _ name: String, of json: JSON, into value: inout Value, _ convert: (JSON) -> Value?
        ) {
            guard let member = json[name], !member.isNull else { return }
            if let converted = convert(member) { value = converted } else { problems.append("\(name) is not valid") }
        }

        private static func behavior(_ json: JSON) -> RetryBehavior? {
            json.stringValue.flatMap { RetryBehavior(rawValue: $0.lowercased()) }
        }

        /// Takes all rules or none: half of an operator's rules may be worse than no rules.
        private static func overrides(_ json: JSON) -> [Int: RetryBehavior]? {
            guard let members = json.objectValue, members.count <= Limits.statusOverrides else { return nil }
            var result: [Int: RetryBehavior] = [:]
            for (key, value) in members {
                guard let status = Int(key), let behavior = behavior(value) else { return nil }
                result[status] = behavior
            }
            return result
        }
    }
}

extension JSON {
    /// The nearest whole number; nil when this is not a number.
    fileprivate var wholeValue: Int? {
        guard let value = doubleValue else { return nil }
        return value.isNaN ? nil : Int(clamping: min(max(value, -1e15), 1e15).rounded())
    }
}
