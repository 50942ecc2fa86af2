import Foundation

/// Decides what happens to a batch after an answer. It is a pure function of status, headers, history and a random
/// number.
///
/// Decision D5 has the table: an event stays until the server has confirmed it or can never accept it.
struct DeliveryPolicy: Sendable, Equatable {
    /// The next step of the uploader.
    enum Action: Sendable, Equatable {
        /// The server has the batch: delete it, go on.
        case confirmed
        /// Keep everything and try again after that many seconds.
        case retry(after: TimeInterval)
        /// Send the batch again at once without compression, and never compress for this server again.
        case resendPlain
        /// The server refuses something in the batch: send fewer events in one request, to find out which.
        case split
        /// The batch is too large: send fewer bytes in one request from now on.
        case shrink
        /// The server refuses this one event for good: put it aside.
        case deadLetter
        /// The server's operator configured that such a batch is given up.
        case drop
    }

    /// An action and its reason, as a text for people.
    struct Decision: Sendable, Equatable {
        let action: Action
        var reason: String
        /// Whether the answer stays the same until the server or the network is changed by a person.
        var isForOperator = false
    }

    /// Seconds of the first pause; it doubles with each failure in a row.
    var baseDelay: TimeInterval = 1
    /// Seconds of the longest pause between ordinary retries.
    var maximumDelay: TimeInterval = 300
    /// Seconds of pause when only an operator can help (wrong key, wrong address, captive portal).
    var longDelay: TimeInterval = 600
    /// The longest `Retry-After` in seconds that is followed.
    var maximumRetryAfter: TimeInterval = 3600
    /// The random share of an ordinary pause, from 0 to 1.
    var jitter = 1.0
    /// Failures in a row after which pauses are long.
    var patience = 100
    /// The same for a server that names a time with `Retry-After`.
    var rateLimitPatience = 100
    /// Seconds of failures after which pauses are long.
    var maximumFailing: TimeInterval = 43_200
    /// The operator's rules for statuses.
    var overrides: [Int: RetryBehavior] = [:]

    /// The longest pause of this policy.
    var longestPause: TimeInterval { max(longDelay * 1.25, maximumDelay, maximumRetryAfter + baseDelay) }

    /// The parts of an answer that decide.
    struct Answer: Sendable {
        /// The status code; nil when there was no answer.
        var status: Int?
        /// Seconds of `Retry-After`.
        var retryAfter: TimeInterval?
        /// Whether the body is an HTML page: a portal or a proxy answered, not the server.
        var isHTML = false
        /// Whether the body was sent compressed.
        var wasCompressed = false
        /// Whether this server is known to take compressed bodies.
        var takesCompressed = false
        /// Why there was no answer.
        var failure: String?
        /// Whether the deadline passed without an answer.
        var isLate = false
        /// The server's reason for its refusal.
        var sentence: String?
        /// Text that follows the reason of the decision, for people: the address and more.
        var words = ""
    }

    /// The failures before this answer.
    struct History: Sendable {
        /// Failures in a row.
        var failures = 0
        /// Seconds since the first failure.
        var failingFor: TimeInterval = 0
    }

    /// Decides what happens to a batch of that many events.
    /// - Parameter random: from 0 up to, not including, 1.
    func decide(_ answer: Answer, events: Int, history: History, random: Double) -> Decision {
        guard let status = answer.status else {
            return backOff(history, random, "no answer: \(answer.failure ?? "unknown reason")")
        }
        if shouldResendPlain(answer, status, events) {
            return Decision(action: .resendPlain, reason: "\(status) to a compressed body")
        }
        if let behavior = overrides[status] {
            return overridden(behavior, answer, status, events, history, random)
        }
        switch status {
        case 200..<300 where !answer.isHTML:
            return Decision(action: .confirmed, reason: "\(status)")
        case 200..<300:
            return forOperator(random, "\(status) with a web page: a portal answered instead of the server")
        case 300..<400:
            return forOperator(random, "\(status): the server redirects, and redirects are not followed")
        case 401, 403:
            return forOperator(random, "\(status): the server does not accept the write key")
        case 404:
            return forOperator(random, "404: there is no such address on the server")
        case 501, 505:
            return forOperator(random, "\(status): the server cannot do this")
        case 400, 422, 415:
            return refused(events, .deadLetter, "\(status): the server refuses what is in the batch")
        case 413:
            return tooLarge(events, .deadLetter, "413: the batch is too large for the server")
        case 408, 410, 425, 429, 460, 500...599:
            return later(answer, history, random, "\(status): the server asks to try later")
        default:
            return long(random, "\(status): an answer that the protocol does not know")
        }
    }

    /// Some servers answer a compressed body as if the events were at fault. Where compression is known to work, only
    /// an event that is about to be given up is sent once more without compression.
    private func shouldResendPlain(_ answer: Answer, _ status: Int, _ events: Int) -> Bool {
        guard answer.wasCompressed else { return false }
        return status == 415 || status == 501 || status == 400 && (!answer.takesCompressed || events == 1)
    }

    private func overridden(
        _ behavior: RetryBehavior, _ answer: Answer, _ status: Int, _ events: Int, _ history: History, _ random: Double
    ) -> Decision {
        switch behavior {
        case .retry:
            return later(answer, history, random, "\(status): the settings say to try later")
        case .drop:
            let reason = "\(status): the settings say to give the events up"
            switch status {
            case 400, 415, 422: return refused(events, .drop, reason)
            case 413: return tooLarge(events, .drop, reason)
            default: return Decision(action: .drop, reason: reason)
            }
        }
    }

    private func refused(_ events: Int, _ last: Action, _ reason: String) -> Decision {
        Decision(action: events > 1 ? .split : last, reason: reason)
    }

    private func tooLarge(_ events: Int, _ last: Action, _ reason: String) -> Decision {
        Decision(action: events > 1 ? .shrink : last, reason: reason)
    }

    private func later(_ answer: Answer, _ history: History, _ random: Double, _ reason: String) -> Decision {
        guard let seconds = answer.retryAfter else { return backOff(history, random, reason) }
        let floor = history.failures >= rateLimitPatience ? longDelay : 0
        // A small random part prevents that all devices return at the same moment.
        let bounded = min(max(seconds, floor), maximumRetryAfter)
        return Decision(action: .retry(after: bounded + baseDelay * random), reason: reason)
    }

    private func backOff(_ history: History, _ random: Double, _ reason: String) -> Decision {
        guard history.failures < patience, history.failingFor < maximumFailing else { return long(random, reason) }
        return Decision(action: .retry(after: pause(history.failures, random)), reason: reason)
    }

    /// The exponential back-off. With full jitter it is never shorter than a tenth of its bound.
    func pause(_ failures: Int, _ random: Double) -> TimeInterval {
        let bound = Backoff(first: baseDelay, longest: maximumDelay).pause(after: failures)
        return max(bound / 10, bound * (1 - jitter * (1 - random)))
    }

    private func forOperator(_ random: Double, _ reason: String) -> Decision {
        var decision = long(random, reason)
        decision.isForOperator = true
        return decision
    }

    private func long(_ random: Double, _ reason: String) -> Decision {
        Decision(action: .retry(after: longDelay * (0.75 + 0.5 * random)), reason: reason)
    }
}

extension DeliveryPolicy {
    /// The policy for a configuration.
    init(_ config: HttpConfig) {
        let (limits, backoff) = (config.rateLimitConfig, config.backoffConfig)
        if limits.enabled {
            maximumRetryAfter = TimeInterval(limits.maxRetryInterval)
            rateLimitPatience = limits.maxRetryCount
        }
        guard backoff.enabled else { return }
        baseDelay = backoff.baseBackoffInterval
        maximumDelay = max(TimeInterval(backoff.maxBackoffInterval), baseDelay)
        patience = backoff.maxRetryCount
        maximumFailing = TimeInterval(backoff.maxTotalBackoffDuration)
        jitter = Double(backoff.jitterPercent) / 100
        overrides = backoff.statusCodeOverrides
    }
}

extension DeliveryPolicy.Answer {
    init(_ result: Result<TransportResponse, TransportError>, now: Date) {
        switch result {
        case .success(let response):
            status = response.status
            retryAfter = response.headers["retry-after"].flatMap { Self.seconds($0, now: now) }
            sentence = (200..<300).contains(response.status) ? nil : AnswerWords.sentence(in: response.body)
            isHTML = response.headers["content-type"]?.lowercased().hasPrefix("text/html") ?? false
        case .failure(let error):
            failure = error.description
            isLate = error.isTimeout
        }
    }

    /// `Retry-After` comes as seconds or as a date of RFC 9110.
    static func seconds(_ text: String, now: Date) -> TimeInterval? {
        let trimmed = text.trimmingCharacters(in: .whitespaces)
        if let seconds = TimeInterval(trimmed), seconds.isFinite { return seconds }
        let formatter = DateFormatter()
        formatter.locale = Locale(identifier: "en_US_POSIX")
        formatter.timeZone = TimeZone(secondsFromGMT: 0)
        formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return formatter.date(from: trimmed).map { max(0, $0.timeIntervalSince(now)) }
    }
}
