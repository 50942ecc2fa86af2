import Foundation
import Testing

@testable import Tributary

@Suite("Delivery policy: the table of decision D5")
struct DeliveryPolicyTests {
    private let policy = DeliveryPolicy()

    private enum Expected { case confirmed, retry, long, split, shrink, plain, drop }

    /// The effect of every status to a plain body, after decision D5.
    private static func expected(_ status: Int) -> Expected {
        switch status {
        case 200..<300: .confirmed
        case 300..<400, 401, 403, 404, 501, 505: .long
        case 400, 422, 415: .split
        case 413: .shrink
        case 408, 410, 425, 429, 460, 500...599: .retry
        default: .long
        }
    }

    private func check(_ decision: DeliveryPolicy.Decision, _ expected: Expected, _ status: Int) {
        switch (expected, decision.action) {
        case (.confirmed, .confirmed), (.split, .split), (.shrink, .shrink), (.plain, .resendPlain), (.drop, .drop):
            break
        case (.retry, .retry(let seconds)): #expect(seconds <= 1)
        case (.long, .retry(let seconds)): #expect(seconds >= 450 && seconds <= 750)
        default: Issue.record("\(status) gives \(decision)")
        }
        #expect(decision.reason.contains("\(status)"))
    }

    @Test("Every status of an answer has its documented effect", arguments: 100..<600)
    func everyStatus(status: Int) {
        let decision = policy.decide(.init(status: status), events: 10, history: .init(), random: 0.5)
        check(decision, Self.expected(status), status)
    }

    @Test("Every status to a compressed body has its effect", arguments: 100..<600)
    func everyStatusCompressed(status: Int) {
        func decide(events: Int, known: Bool) -> DeliveryPolicy.Decision {
            let answer = DeliveryPolicy.Answer(status: status, wasCompressed: true, takesCompressed: known)
            return policy.decide(answer, events: events, history: .init(), random: 0.5)
        }
        let isSuspect = [400, 415, 501].contains(status)
        check(decide(events: 10, known: false), isSuspect ? .plain : Self.expected(status), status)
        let isStillSuspect = [415, 501].contains(status)
        check(decide(events: 10, known: true), isStillSuspect ? .plain : Self.expected(status), status)
        // The last chance of a single event is a plain body.
        if status == 400 { check(decide(events: 1, known: true), .plain, status) }
    }

    @Test("Every status that the settings name is dropped or retried", arguments: 300..<600)
    func everyOverride(status: Int) {
        func decide(_ behavior: RetryBehavior, events: Int) -> DeliveryPolicy.Decision {
            let backoff = BackoffConfig(enabled: true, statusCodeOverrides: [status: behavior])
            let policy = DeliveryPolicy(HttpConfig(backoffConfig: backoff).validated())
            return policy.decide(.init(status: status), events: events, history: .init(), random: 0.5)
        }
        check(decide(.retry, events: 10), .retry, status)
        check(decide(.drop, events: 1), .drop, status)
        let isAboutEvents = [400, 415, 422].contains(status)
        check(decide(.drop, events: 10), status == 413 ? .shrink : isAboutEvents ? .split : .drop, status)
    }

    @Test("A success stays a success whatever the settings say", arguments: 200..<300)
    func noOverrideOfSuccess(status: Int) {
        let backoff = BackoffConfig(enabled: true, statusCodeOverrides: [status: .retry])
        let policy = DeliveryPolicy(HttpConfig(backoffConfig: backoff).validated())
        let decision = policy.decide(.init(status: status), events: 1, history: .init(), random: 0.5)
        #expect(decision.action == .confirmed)
    }

    @Test("A configuration that drops by default drops no event")
    func noDropByDefault() {
        let backoff = BackoffConfig(
            enabled: true, default4xxBehavior: .drop, default5xxBehavior: .drop, unknownCodeBehavior: .drop,
            statusCodeOverrides: [:])
        let policy = DeliveryPolicy(HttpConfig(backoffConfig: backoff))
        for status in 100..<600 {
            let decision = policy.decide(.init(status: status), events: 10, history: .init(), random: 0.5)
            #expect(decision.action != .drop)
        }
    }

    @Test("A single refused event becomes a dead letter", arguments: [400, 413, 415, 422])
    func singleEvent(status: Int) {
        let decision = policy.decide(.init(status: status), events: 1, history: .init(), random: 0)
        #expect(decision.action == .deadLetter)
    }

    @Test("The page of a captive portal confirms nothing")
    func portal() {
        let decision = policy.decide(.init(status: 200, isHTML: true), events: 5, history: .init(), random: 0)
        #expect(decision.action == .retry(after: 450))
    }

    @Test("A request without an answer is repeated")
    func noAnswer() {
        let decision = policy.decide(.init(failure: "connection refused"), events: 5, history: .init(), random: 0.5)
        #expect(decision.action == .retry(after: 0.5))
        #expect(decision.reason.contains("connection refused"))
    }

    @Test("Pauses double up to a bound, with full jitter")
    func backOff() {
        func bound(_ failures: Int, _ random: Double) -> DeliveryPolicy.Action {
            policy.decide(.init(status: 500), events: 5, history: .init(failures: failures), random: random).action
        }
        #expect(bound(3, 1) == .retry(after: 8))
        #expect(bound(3, 0) == .retry(after: 0.8))
        #expect(bound(99, 1) == .retry(after: 300))
    }

    @Test("Pauses without jitter work")
    func noJitter() {
        let policy = DeliveryPolicy(
            HttpConfig(backoffConfig: BackoffConfig(enabled: true, baseBackoffInterval: 1, jitterPercent: 0)))
        for random in [0, 0.5, 0.999] {
            #expect(policy.pause(3, random) == 8)
        }
    }

    @Test("After many failures, or a long time of failures, pauses are long, and no event is dropped")
    func tired() {
        for history in [DeliveryPolicy.History(failures: 100), .init(failures: 1, failingFor: 50_000)] {
            let decision = policy.decide(.init(status: 500), events: 5, history: history, random: 0.5)
            #expect(decision.action == .retry(after: 600))
        }
    }

    @Test("Retry-After is followed up to a bound, and gets a floor once it was ignored too often")
    func rateLimit() {
        let answer = DeliveryPolicy.Answer(status: 429, retryAfter: 100)
        func action(_ config: RateLimitConfig, failures: Int) -> DeliveryPolicy.Action {
            DeliveryPolicy(HttpConfig(rateLimitConfig: config))
                .decide(answer, events: 5, history: .init(failures: failures), random: 0).action
        }
        #expect(action(RateLimitConfig(), failures: 0) == .retry(after: 100))
        #expect(action(RateLimitConfig(), failures: 100) == .retry(after: 600))
        #expect(action(RateLimitConfig(enabled: true, maxRetryInterval: 50), failures: 0) == .retry(after: 50))
        #expect(action(RateLimitConfig(enabled: false, maxRetryInterval: 50), failures: 0) == .retry(after: 100))
    }

    @Test("Retry-After is honoured in both forms, within bounds")
    func retryAfter() {
        let now = Date(timeIntervalSince1970: 784_111_777)  // Sun, 06 Nov 1994 08:49:37 GMT
        func seconds(_ text: String) -> TimeInterval? { DeliveryPolicy.Answer.seconds(text, now: now) }
        #expect(seconds("120") == 120)
        #expect(seconds("Sun, 06 Nov 1994 08:50:37 GMT") == 60)
        #expect(seconds("Sun, 06 Nov 1994 08:00:00 GMT") == 0)
        #expect(seconds("soon") == nil)
        #expect(seconds("nan") == nil)
        let answer = DeliveryPolicy.Answer(status: 503, retryAfter: 1e12)
        #expect(policy.decide(answer, events: 1, history: .init(), random: 0).action == .retry(after: 3600))
    }
}
