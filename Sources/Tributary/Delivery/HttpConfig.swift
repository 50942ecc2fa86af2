/// The handling of a server that refuses or cannot be reached: delays, limits, and rules for single statuses.
///
/// The workspace may send the same values as `httpConfig` in the settings of `Segment.io`. Then the workspace's values
/// apply, because it knows what load it can take. No value lets events be dropped, except
/// `BackoffConfig.statusCodeOverrides`.
///
/// Missing values have the defaults of the field's clients. Without an `HttpConfig`, and for a part that is not
/// `enabled`, the library's own defaults apply: `Retry-After` up to an hour; otherwise 1 s, doubled up to 300 s, with
/// full jitter; no event is given up.
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

    /// The field's defaults for missing values. Values out of their range are brought into it.
    public init(
        rateLimitConfig: RateLimitConfig = RateLimitConfig(), backoffConfig: BackoffConfig = BackoffConfig()
    ) {
        self.rateLimitConfig = rateLimitConfig
        self.backoffConfig = backoffConfig
    }

    /// A missing part has its defaults.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            rateLimitConfig: try container.decodeIfPresent(RateLimitConfig.self, forKey: .rateLimitConfig) ?? .init(),
            backoffConfig: try container.decodeIfPresent(BackoffConfig.self, forKey: .backoffConfig) ?? .init())
    }

    /// A copy with every value in its range.
    public func validated() -> HttpConfig {
        HttpConfig(rateLimitConfig: rateLimitConfig.validated(), backoffConfig: backoffConfig.validated())
    }
}

/// The handling of answers that name a time with `Retry-After`.
public struct RateLimitConfig: Sendable, Codable, Equatable {
    /// Whether the values here apply; otherwise the library's own defaults do. Default: false.
    public var enabled: Bool
    /// Refusals in a row after which a pause lasts at least ten minutes. Default: 100; 0 to 1000.
    public var maxRetryCount: Int
    /// The longest `Retry-After` in seconds that is followed. Default: 300; 1 to 3600.
    public var maxRetryInterval: Int

    /// The defaults for missing values.
    public init(enabled: Bool = false, maxRetryCount: Int = 100, maxRetryInterval: Int = 300) {
        self.enabled = enabled
        self.maxRetryCount = maxRetryCount
        self.maxRetryInterval = maxRetryInterval
    }

    /// A missing value is the default.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        enabled = try container.decodeIfPresent(Bool.self, forKey: .enabled) ?? enabled
        maxRetryCount = try container.decodeIfPresent(Int.self, forKey: .maxRetryCount) ?? maxRetryCount
        maxRetryInterval = try container.decodeIfPresent(Int.self, forKey: .maxRetryInterval) ?? maxRetryInterval
    }

    /// A copy with every value in its range.
    public func validated() -> RateLimitConfig {
        RateLimitConfig(
            enabled: enabled, maxRetryCount: maxRetryCount.clamped(to: 0...1000),
            maxRetryInterval: maxRetryInterval.clamped(to: 1...3600))
    }
}

/// The handling of a batch after a status.
public enum RetryBehavior: String, Sendable, Codable, Equatable {
    /// The batch stays and is tried again.
    case retry
    /// The batch is given up and counted.
    case drop
}

/// The handling of failures for which the server names no time.
public struct BackoffConfig: Sendable, Codable, Equatable {
    /// Whether the values here apply; otherwise the library's own defaults do. Default: false.
    public var enabled: Bool
    /// Failures in a row after which a pause is ten minutes. Nothing is given up. Default: 100; 0 to 1000.
    public var maxRetryCount: Int
    /// Seconds of the first pause; it doubles with each failure in a row. Default: 0.5; 0.1 to 60.
    public var baseBackoffInterval: Double
    /// Seconds of the longest of these pauses. Default: 300; 1 to 3600.
    public var maxBackoffInterval: Int
    /// Seconds of failures after which a pause is ten minutes. Nothing is given up. Default: 43,200; 0 to 604,800.
    public var maxTotalBackoffDuration: Int
    /// The random share of a pause, which keeps devices from returning all at once. Default: 10; 0 to 100.
    public var jitterPercent: Int
    /// Servers send it; it has no effect. Use `statusCodeOverrides` to give events up.
    public var default4xxBehavior: RetryBehavior
    /// Servers send it; it has no effect. Use `statusCodeOverrides` to give events up.
    public var default5xxBehavior: RetryBehavior
    /// Servers send it; it has no effect. Use `statusCodeOverrides` to give events up.
    public var unknownCodeBehavior: RetryBehavior
    /// Rules for single statuses, which override all other rules. Statuses from 300 to 599; default: 408, 410, 429 and
    /// 460 are tried again, 501 and 505 are given up.
    ///
    /// With `drop` for 400, 413, 415 and 422, the client finds the events that the server refuses, and gives up only
    /// those.
    public var statusCodeOverrides: [Int: RetryBehavior]

    /// The defaults for missing values.
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

    /// A missing value is the default.
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

    /// A copy with every value in its range; a base that is not a number becomes the default.
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
