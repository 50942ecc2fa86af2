/// How delivery meets a server that refuses or is not there: delays, caps, and statuses that are to be taken otherwise.
///
/// The workspace sends the same as `httpConfig` among the settings of `Segment.io`, and then its own values apply: it
/// knows best what it can bear. Nothing here lets events be dropped, except `BackoffConfig.statusCodeOverrides`.
public struct HttpConfig: Sendable, Equatable {
    /// What happens when the server says when to come back.
    public var rateLimitConfig: RateLimitConfig
    /// What happens after other failures.
    public var backoffConfig: BackoffConfig

    /// The defaults of the library unless told otherwise; values out of their range are brought into it.
    public init(
        rateLimitConfig: RateLimitConfig = RateLimitConfig(), backoffConfig: BackoffConfig = BackoffConfig()
    ) {
        self.rateLimitConfig = rateLimitConfig
        self.backoffConfig = backoffConfig
    }

    /// The same with every value in its range.
    public func validated() -> HttpConfig {
        HttpConfig(rateLimitConfig: rateLimitConfig.validated(), backoffConfig: backoffConfig.validated())
    }
}

/// What happens when the server says when to come back, with `Retry-After`.
public struct RateLimitConfig: Sendable, Equatable {
    /// Whether `Retry-After` is followed; otherwise the ordinary delays apply. Default: true.
    public var enabled: Bool
    /// Refusals in a row after which the pause is a long one, ten minutes, if the server asked for a shorter.
    /// Default: 100; 0 to 1000.
    public var maxRetryCount: Int
    /// Seconds of `Retry-After` that are followed at the most. Default: 3600; 1 to 86,400.
    public var maxRetryInterval: Int

    /// The defaults unless told otherwise.
    public init(enabled: Bool = true, maxRetryCount: Int = 100, maxRetryInterval: Int = 3600) {
        self.enabled = enabled
        self.maxRetryCount = maxRetryCount
        self.maxRetryInterval = maxRetryInterval
    }

    /// The same with every value in its range.
    public func validated() -> RateLimitConfig {
        RateLimitConfig(
            enabled: enabled, maxRetryCount: maxRetryCount.clamped(to: 0...1000),
            maxRetryInterval: maxRetryInterval.clamped(to: 1...86_400))
    }
}

/// What is done with a batch that a server answered with a certain status.
public enum RetryBehavior: String, Sendable, Equatable {
    /// It is kept and tried again.
    case retry
    /// It is given up and counted.
    case drop
}

/// What happens after failures for which the server names no time.
public struct BackoffConfig: Sendable, Equatable {
    /// Whether the values here apply; otherwise the library's defaults do. Default: true.
    public var enabled: Bool
    /// Failures in a row after which the pause is a long one, ten minutes. Nothing is given up. Default: 100; 0 to 1000.
    public var maxRetryCount: Int
    /// Seconds of the first pause; it doubles with each failure in a row. Default: 1; 0.1 to 60.
    public var baseBackoffInterval: Double
    /// Seconds of the longest of these pauses. Default: 300; 1 to 3600.
    public var maxBackoffInterval: Int
    /// Seconds of failing after which the pause is a long one. Nothing is given up. Default: 43,200; 0 to 604,800.
    public var maxTotalBackoffDuration: Int
    /// How much of a pause is left to chance, so that devices do not come back all at once. Default: 100; 0 to 100.
    public var jitterPercent: Int
    /// Known for the sake of servers that send it, without effect: a drop is named for each status.
    public var default4xxBehavior: RetryBehavior
    /// Known for the sake of servers that send it, without effect: a drop is named for each status.
    public var default5xxBehavior: RetryBehavior
    /// Known for the sake of servers that send it, without effect: a drop is named for each status.
    public var unknownCodeBehavior: RetryBehavior
    /// What is done at a status, whatever would be done otherwise. Statuses from 300 to 599; default: none.
    ///
    /// `drop` at 400, 413, 415 and 422 gives up only the events that the server refuses, which are looked for.
    public var statusCodeOverrides: [Int: RetryBehavior]

    /// The defaults unless told otherwise.
    public init(
        enabled: Bool = true, maxRetryCount: Int = 100, baseBackoffInterval: Double = 1, maxBackoffInterval: Int = 300,
        maxTotalBackoffDuration: Int = 43_200, jitterPercent: Int = 100, default4xxBehavior: RetryBehavior = .retry,
        default5xxBehavior: RetryBehavior = .retry, unknownCodeBehavior: RetryBehavior = .retry,
        statusCodeOverrides: [Int: RetryBehavior] = [:]
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

    /// The same with every value in its range; a base that is not a number becomes the default.
    public func validated() -> BackoffConfig {
        var result = self
        result.maxRetryCount = maxRetryCount.clamped(to: 0...1000)
        result.baseBackoffInterval = baseBackoffInterval.isNaN ? 1 : baseBackoffInterval.clamped(to: 0.1...60)
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
