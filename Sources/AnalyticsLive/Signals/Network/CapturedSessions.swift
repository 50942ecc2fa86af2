import Foundation
import Tributary

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The configurations of captured sessions. A request continues with the configuration of its own session: its cookies,
/// its cache and its rules for certificates.
///
/// When a protocol loads a request, the system does not say for which session. But it makes the protocol from a class
/// that the configuration names, so each configuration has a class of its own.
final class CapturedSessions: Sendable {
    static let shared = CapturedSessions()

    /// An app has few configurations. An app that makes more, such as one for each request, is not captured beyond
    /// these.
    static let classes: [SignalsNetworkProtocol.Type] = [
        SignalsNetworkProtocol1.self, SignalsNetworkProtocol2.self, SignalsNetworkProtocol3.self,
        SignalsNetworkProtocol4.self, SignalsNetworkProtocol5.self, SignalsNetworkProtocol6.self,
        SignalsNetworkProtocol7.self, SignalsNetworkProtocol8.self,
    ]

    // Unchecked because the configuration is the app's until the first request, and only copied here.
    private struct Place: @unchecked Sendable {
        let configuration: URLSessionConfiguration
        var session: LoadingSession?
    }

    private let places = LockBox<[Place]>([])

    /// The class for sessions of this configuration; nil when all are taken.
    func take(_ configuration: URLSessionConfiguration) -> SignalsNetworkProtocol.Type? {
        places.withLock { places in
            guard places.count < Self.classes.count else { return nil }
            places.append(Place(configuration: configuration))
            return Self.classes[places.count - 1]
        }
    }

    /// The session that carries the requests of a class. It is made with the first request: until then an app may
    /// change its configuration.
    func session(at place: Int) -> LoadingSession {
        places.withLock { places in
            guard places.indices.contains(place) else { return .shared }
            if let session = places[place].session { return session }
            let session = LoadingSession(places[place].configuration)
            places[place].session = session
            return session
        }
    }
}

// One for each configuration that is captured.
final class SignalsNetworkProtocol1: SignalsNetworkProtocol { override class var place: Int? { 0 } }
final class SignalsNetworkProtocol2: SignalsNetworkProtocol { override class var place: Int? { 1 } }
final class SignalsNetworkProtocol3: SignalsNetworkProtocol { override class var place: Int? { 2 } }
final class SignalsNetworkProtocol4: SignalsNetworkProtocol { override class var place: Int? { 3 } }
final class SignalsNetworkProtocol5: SignalsNetworkProtocol { override class var place: Int? { 4 } }
final class SignalsNetworkProtocol6: SignalsNetworkProtocol { override class var place: Int? { 5 } }
final class SignalsNetworkProtocol7: SignalsNetworkProtocol { override class var place: Int? { 6 } }
final class SignalsNetworkProtocol8: SignalsNetworkProtocol { override class var place: Int? { 7 } }
