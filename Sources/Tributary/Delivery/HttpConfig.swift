/// How delivery meets a server that refuses or is not there: delays, caps, and statuses that are to be taken otherwise.
///
/// The workspace sends the same as `httpConfig` among the settings of `Segment.io`, and then its own values apply: it
/// knows best what it can bear. Nothing here lets events be dropped, except `BackoffConfig.statusCodeOverrides`.
///
/// Missing values have the defaults of the field's clients. Without an `HttpConfig`, and where one is not `enabled`,
/// the library's own defaults apply: `Retry-After` up to an hour; otherwise 1 s, doubled up to 300 s, with full jitter;
/// no event is given up.
public struct HttpConfig: Sendable, Codable, Equatable {
    /// The handling of answers with `Retry-After`.
    public var rateLimitConfig: RateLimitConfig
    /// The handling of other failures.
    public var backoffConfig: BackoffConfig

    /// The library's own defaults.
    static let standard = HttpConfig(
        rateLimitConfig: RateLimitConfig(enabled: true, maxRetryInterval: 3600),
        backoffConfig: BackoffConfig(
            enabled: true, baseBackoffInterval: 1, jitterPercent: 100, default4xxBehavior: .retry,
            unknownCodeBehavior: .retry, statusCodeOverrides: [:]))

    /// The field's defaults unless told otherwise; values out of their range are brought into it.
    public init(
        rateLimitConfig: RateLimitConfig = RateLimitConfig(), backoffConfig: BackoffConfig = BackoffConfig()
    ) {
        self.rateLimitConfig = rateLimitConfig
        self.backoffConfig = backoffConfig
    }

    /// A part that is missing has its defaults.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            rateLimitConfig: try container.decodeIfPresent(RateLimitConfig.self, forKey: .rateLimitConfig) ?? .init(),
            backoffConfig: try container.decodeIfPresent(BackoffConfig.self, forKey: .backoffConfig) ?? .init())
    }

    /// The same with every value in its range.
    public func validated() -> HttpConfig {
        HttpConfig(rateLimitConfig: rateLimitConfig.validated(), backoffConfig: backoffConfig.validated())
    }
}

/// The handling of answers that name a time with `Retry-After`.
public struct RateLimitConfig: Sendable, Codable, Equatable {
    /// Whether the values here apply; otherwise the library's own defaults do. Default: false.
    public var enabled: Bool
    /// Refusals in a row after which the pause is a long one, ten minutes, if the server asked for a shorter.
    /// Default: 100; 0 to 1000.
    public var maxRetryCount: Int
    /// Seconds of `Retry-After` that are followed at the most. Default: 300; 1 to 3600.
    public var maxRetryInterval: Int

    /// The defaults unless told otherwise.
    public init(enabled: Bool = false, maxRetryCount: Int = 100, maxRetryInterval: Int = 300) {
        self.enabled = enabled
        self.maxRetryCount = maxRetryCount
        self.maxRetryInterval = maxRetryInterval
    }

    /// A value that is missing is the default.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        enabled = try container.decodeIfPresent(Bool.self, forKey: .enabled) ?? enabled
        maxRetryCount = try container.decodeIfPresent(Int.self, forKey: .maxRetryCount) ?? maxRetryCount
        maxRetryInterval = try container.decodeIfPresent(Int.self, forKey: .maxRetryInterval) ?? maxRetryInterval
    }

    /// The same with every value in its range.
    public func validated() -> RateLimitConfig {
        RateLimitConfig(
            enabled: enabled, maxRetryCount: maxRetryCount.clamped(to: 0...1000),
            maxRetryInterval: maxRetryInterval.clamped(to: 1...3600))
    }
}

/// The handling of a batch after a certain status.
public enum RetryBehavior: String, Sendable, Codable, Equatable {
    /// It is kept and tried again.
    case retry
    /// It is given up and counted.
    case drop
}

/// The handling of failures for which the server names no time.
public struct BackoffConfig: Sendable, Codable, Equatable {
    /// Whether the values here apply; otherwise the library's own defaults do. Default: false.
    public var enabled: Bool
    /// Failures in a row after which the pause is a long one, ten minutes. Nothing is given up. Default: 100; 0 to 1000.
    public var maxRetryCount: Int
    /// Seconds of the first pause; it doubles with each failure in a row. Default: 0.5; 0.1 to 60.
    public var baseBackoffInterval: Double
    /// Seconds of the longest of these pauses. Default: 300; 1 to 3600.
    public var maxBackoffInterval: Int
    /// Seconds of failing after which the pause is a long one. Nothing is given up. Default: 43,200; 0 to 604,800.
    public var maxTotalBackoffDuration: Int
    /// How much of a pause is left to chance, so that devices do not come back all at once. Default: 10; 0 to 100.
    public var jitterPercent: Int
    /// Known for the sake of servers that send it, without effect: a drop is named for each status.
    public var default4xxBehavior: RetryBehavior
    /// Known for the sake of servers that send it, without effect: a drop is named for each status.
    public var default5xxBehavior: RetryBehavior
    /// Known for the sake of servers that send it, without effect: a drop is named for each status.
    public var unknownCodeBehavior: RetryBehavior
    /// Rules for single statuses, which override all others. Statuses from 300 to 599; default: 408, 410, 429 and 460
    /// are tried again, 501 and 505 are given up.
    ///
    /// `drop` at 400, 413, 415 and 422 gives up only the events that the server refuses, which are looked for.
    public var statusCodeOverrides: [Int: RetryBehavior]

    /// The defaults unless told otherwise.
    public init(
        enabled: Bool = false, maxRetryCount: Int = 100, baseBackoffInterval: Double = 0.5,
        maxBackoffInterval: Int = 300,
        maxTotalBackoffDuration: Int = 43_200, jitterPercent: Int = 10, default4xxBehavior: RetryBehavior = .drop,
        default5xxBehavior: RetryBehavior = .retry, unknownCodeBehavior: RetryBehavior = .drop,
        statusCodeOverrides: [Int: RetryBehavior] = [
            408: .retry, 410: .retry, 429: .retry, 460: .retry, 501: .drop, 505: .drop,
        ]
    ) {
        self.enabled = enabled
        self.maxRetryCount = maxRetryCount
        self.baseBackoffInterval = baseBackoffInterval
        self.maxBackoffInterval = maxBackoffInterval
        self.maxTotalBackoffDuration = maxTotalBackoffDuration
        self.jitterPercent = jitterPercent
        self.default4xxBehavior = default4xxBehavior
        self.default5xxBehavior = default5xxBehavior
        self.unknownCodeBehavior = unknownCodeBehavior
        self.statusCodeOverrides = statusCodeOverrides
    }

    /// A value that is missing is the default.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        func take<Value: Decodable>(_ key: CodingKeys, _ path: WritableKeyPath<Self, Value>) throws {
            if let value = try container.decodeIfPresent(Value.self, forKey: key) { self[keyPath: path] = value }
        }
        try take(.enabled, \.enabled)
        try take(.maxRetryCount, \.maxRetryCount)
        try take(.baseBackoffInterval, \.baseBackoffInterval)
        try take(.maxBackoffInterval, \.maxBackoffInterval)
        try take(.maxTotalBackoffDuration, \.maxTotalBackoffDuration)
        try take(.jitterPercent, \.jitterPercent)
        try take(.default4xxBehavior, \.default4xxBehavior)
        try take(.default5xxBehavior, \.default5xxBehavior)
        try take(.unknownCodeBehavior, \.unknownCodeBehavior)
        try take(.statusCodeOverrides, \.statusCodeOverrides)
    }

    /// The same with every value in its range; a base that is not a number becomes the default.
    public func validated() -> BackoffConfig {
        var result = self
        result.maxRetryCount = maxRetryCount.clamped(to: 0...1000)
        result.baseBackoffInterval = baseBackoffInterval.isNaN ? 0.5 : baseBackoffInterval.clamped(to: 0.1...60)
        result.maxBackoffInterval = maxBackoffInterval.clamped(to: 1...3600)
        result.maxTotalBackoffDuration = maxTotalBackoffDuration.clamped(to: 0...604_800)
        result.jitterPercent = jitterPercent.clamped(to: 0...100)
        result.statusCodeOverrides = statusCodeOverrides.filter { (300...599).contains($0.key) }
        return result
    }
}

extension Comparable {
    fileprivate func clamped(to range: ClosedRange<Self>) -> Self {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
