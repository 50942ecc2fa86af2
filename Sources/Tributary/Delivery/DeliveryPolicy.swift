import Foundation

/// What to do with a batch after an answer: a pure function of status, headers, history and chance.
///
/// The table is decision D5 of the design: everything is kept unless the server has confirmed it or the event itself
/// can never be accepted.
struct DeliveryPolicy: Sendable, Equatable {
    /// What the uploader does next.
    enum Action: Sendable, Equatable {
        /// The server has the batch: delete it, go on.
        case confirmed
        /// Keep everything and try again after that many seconds.
        case retry(after: TimeInterval)
        /// Send the batch again at once, without compression, and never compress for this server again.
        case resendPlain
        /// Something in the batch is refused: send fewer events at once, to find out which.
        case split
        /// This one event is refused for good: put it aside.
        case deadLetter
    }

    /// An action with the reason that a person gets to see.
    struct Decision: Sendable, Equatable {
        let action: Action
        let reason: String
    }

    /// Seconds of the first pause; it doubles with each failure in a row.
    var baseDelay: TimeInterval = 1
    /// Seconds of the longest pause between ordinary retries.
    var maximumDelay: TimeInterval = 300
    /// Seconds of pause when only an operator can help (wrong key, wrong address, captive portal).
    var longDelay: TimeInterval = 600
    /// Seconds of `Retry-After` that are honoured at the most.
    var maximumRetryAfter: TimeInterval = 3600

    /// What came back, as far as it matters here.
    struct Answer: Sendable {
        /// The status code; nil when there was no answer.
        var status: Int?
        /// Seconds of `Retry-After`.
        var retryAfter: TimeInterval?
        /// Whether the body is an HTML page: a portal or a proxy answered, not the server.
        var isHTML = false
        /// Whether the body was sent compressed.
        var wasCompressed = false
        /// Why there was no answer.
        var failure: String?
    }

    /// Decides what happens to a batch of `events` after `failures` failures in a row.
    /// - Parameter random: from 0 up to, not including, 1.
    func decide(_ answer: Answer, events: Int, failures: Int, random: Double) -> Decision {
        guard let status = answer.status else {
            return backOff(failures, random, "no answer: \(answer.failure ?? "unknown reason")")
        }
        if answer.wasCompressed, [400, 415, 501].contains(status) {
            return Decision(action: .resendPlain, reason: "\(status) to a compressed body")
        }
        switch status {
        case 200..<300 where !answer.isHTML:
            return Decision(action: .confirmed, reason: "\(status)")
        case 200..<300:
            return long(random, "\(status) with a web page: a portal answered instead of the server")
        case 300..<400:
            return long(random, "\(status): the server redirects, and redirects are not followed")
        case 401, 403:
            return long(random, "\(status): the server does not accept the write key")
        case 404:
            return long(random, "404: there is no such address on the server")
        case 501, 505:
            return long(random, "\(status): the server cannot do this")
        case 400, 422, 415:
            return refused(events, "\(status): the server refuses what is in the batch")
        case 413:
            return refused(events, "413: the batch is too large for the server")
        case 408, 410, 425, 429, 460, 500...599:
            return later(answer, failures, random, "\(status): the server asks to try later")
        default:
            return long(random, "\(status): an answer that the protocol does not know")
        }
    }

    private func refused(_ events: Int, _ reason: String) -> Decision {
        Decision(action: events > 1 ? .split : .deadLetter, reason: reason)
    }

    private func later(_ answer: Answer, _ failures: Int, _ random: Double, _ reason: String) -> Decision {
        guard let seconds = answer.retryAfter else { return backOff(failures, random, reason) }
        // A little chance on top, so that all devices do not come back in the same moment.
        let bounded = min(max(seconds, 0), maximumRetryAfter)
        return Decision(action: .retry(after: bounded + baseDelay * random), reason: reason)
    }

    /// Exponential back-off with full jitter, never shorter than a tenth of its bound.
    private func backOff(_ failures: Int, _ random: Double, _ reason: String) -> Decision {
        let bound = min(maximumDelay, baseDelay * pow(2, Double(min(failures, 30))))
        return Decision(action: .retry(after: max(bound / 10, bound * random)), reason: reason)
    }

    private func long(_ random: Double, _ reason: String) -> Decision {
        Decision(action: .retry(after: longDelay * (0.75 + 0.5 * random)), reason: reason)
    }
}

extension DeliveryPolicy.Answer {
    init(_ result: Result<TransportResponse, TransportError>, wasCompressed: Bool, now: Date) {
        self.wasCompressed = wasCompressed
        switch result {
        case .success(let response):
            status = response.status
            retryAfter = response.headers["retry-after"].flatMap { Self.seconds($0, now: now) }
            isHTML = response.headers["content-type"]?.lowercased().hasPrefix("text/html") ?? false
        case .failure(let error):
            failure = error.description
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
