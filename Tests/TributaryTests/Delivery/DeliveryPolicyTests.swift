import Foundation
import Testing

@testable import Tributary

@Suite("Delivery policy: the table of decision D5")
struct DeliveryPolicyTests {
    private let policy = DeliveryPolicy()

    private enum Expected { case confirmed, retry, long, split }

    /// What decision D5 says of every status that a server can send to a plain body.
    private static func expected(_ status: Int) -> Expected {
        switch status {
        case 200..<300: .confirmed
        case 300..<400, 401, 403, 404, 501, 505: .long
        case 400, 422, 413, 415: .split
        case 408, 410, 425, 429, 460, 500...599: .retry
        default: .long
        }
    }

    @Test("every status", arguments: 100..<600)
    func everyStatus(status: Int) {
        let decision = policy.decide(.init(status: status), events: 10, failures: 0, random: 0.5)
        switch (Self.expected(status), decision.action) {
        case (.confirmed, .confirmed), (.split, .split): break
        case (.retry, .retry(let seconds)): #expect(seconds <= 1)
        case (.long, .retry(let seconds)): #expect(seconds >= 450 && seconds <= 750)
        default: Issue.record("\(status) gives \(decision)")
        }
        #expect(!decision.reason.isEmpty)
    }

    @Test("a single refused event is put aside", arguments: [400, 413, 415, 422])
    func singleEvent(status: Int) {
        let decision = policy.decide(.init(status: status), events: 1, failures: 0, random: 0)
        #expect(decision.action == .deadLetter)
    }

    @Test("a compressed body is sent plain before anything counts as poison", arguments: [400, 415, 501])
    func compressed(status: Int) {
        let decision = policy.decide(.init(status: status, wasCompressed: true), events: 1, failures: 0, random: 0)
        #expect(decision.action == .resendPlain)
    }

    @Test("a portal's page is no confirmation")
    func portal() {
        let decision = policy.decide(.init(status: 200, isHTML: true), events: 5, failures: 0, random: 0)
        #expect(decision.action == .retry(after: 450))
    }

    @Test("no answer is tried again")
    func noAnswer() {
        let decision = policy.decide(.init(failure: "connection refused"), events: 5, failures: 0, random: 0.5)
        #expect(decision.action == .retry(after: 0.5))
        #expect(decision.reason.contains("connection refused"))
    }

    @Test("pauses double up to a bound, with full jitter")
    func backOff() {
        func bound(_ failures: Int, _ random: Double) -> DeliveryPolicy.Action {
            policy.decide(.init(status: 500), events: 5, failures: failures, random: random).action
        }
        #expect(bound(3, 1) == .retry(after: 8))
        #expect(bound(3, 0) == .retry(after: 0.8))
        #expect(bound(1000, 1) == .retry(after: 300))
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
        #expect(policy.decide(answer, events: 1, failures: 0, random: 0).action == .retry(after: 3600))
    }
}
