#if canImport(Darwin)
import Foundation
import Tributary

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// Passes the app's answer to a request for a password back to the inner session, once.
///
/// Unchecked because the handler is behind the lock.
final class ChallengeAnswer: NSObject, URLAuthenticationChallengeSender, @unchecked Sendable {
    typealias Handler = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void

    private let handler: LockBox<Handler?>

    init(_ handler: @escaping Handler) { self.handler = LockBox(handler) }

    func use(_ credential: URLCredential, for challenge: URLAuthenticationChallenge) {
        answer(.useCredential, credential)
    }

    func continueWithoutCredential(for challenge: URLAuthenticationChallenge) { answer(.useCredential, nil) }

    func cancel(_ challenge: URLAuthenticationChallenge) { answer(.cancelAuthenticationChallenge, nil) }

    func performDefaultHandling(for challenge: URLAuthenticationChallenge) { answer(.performDefaultHandling, nil) }

    func rejectProtectionSpaceAndContinue(with challenge: URLAuthenticationChallenge) {
        answer(.rejectProtectionSpace, nil)
    }

    private func answer(_ disposition: URLSession.AuthChallengeDisposition, _ credential: URLCredential?) {
        handler.exchange(nil)?(disposition, credential)
    }
}
#endif
