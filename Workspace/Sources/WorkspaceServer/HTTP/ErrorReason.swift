import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOPosix
import NIOSSL
import WorkspaceCore

/// Why the system, a library or another server refused something, in words for people: `SystemReason` with the errors of
/// connections.
package enum ErrorReason {
    /// The reason of any error.
    package static func text(_ error: any Error) -> String { known(error) ?? "\(error)" }

    /// The reason of an error of the system or of a library; nil for an error that is none.
    package static func known(_ error: any Error) -> String? {
        switch error {
        case let error as HTTPClientError: client(error)
        case let error as IOError: SystemReason.text(code: error.errnoCode)
        case let error as NIOConnectionError: connection(error)
        case is ChannelError: "the connection could not be made in time, or was closed"
        case is HTTPParserError: "what came is not HTTP; is that the address of another program, or does it want https?"
        case is NIOSSLError, is BoringSSLError, is NIOSSLExtraError: secure("\(error)")
        default: SystemReason.known(error)
        }
    }

    private static func client(_ error: HTTPClientError) -> String {
        switch error {
        case .remoteConnectionClosed, .uncleanShutdown:
            "the server closed the connection without a whole answer; does it want https in its address, or is it another program?"
        case .readTimeout, .writeTimeout, .deadlineExceeded, .getConnectionFromPoolTimeout: "it took too long"
        case .connectTimeout, .tlsHandshakeTimeout, .httpProxyHandshakeTimeout, .socksHandshakeTimeout:
            "there was no connection in time; is that the right host and port?"
        case .cancelled, .requestStreamCancelled, .alreadyShutdown: "it was stopped"
        case .emptyHost, .emptyScheme, .invalidURL: "its address names no host"
        default: invalidHeader(error) ?? "the request could not be made: \(error.shortDescription.lowercased())"
        }
    }

    /// The cases with values cannot be compared.
    private static func invalidHeader(_ error: HTTPClientError) -> String? {
        error.shortDescription.hasPrefix("Invalid header field")
            ? "a header has signs that no header may have, such as a line break; look at the token and the headers"
            : nil
    }

    private static func connection(_ error: NIOConnectionError) -> String {
        if let first = error.connectionErrors.first { return text(first.error) }
        return
            "there is no host of the name \(error.host); is it spelt right, and does this machine reach its name servers?"
    }

    private static func secure(_ detail: String) -> String {
        if detail.contains("WRONG_VERSION_NUMBER") || detail.contains("HTTP_REQUEST") {
            return "it does not use https there; is it http in its address?"
        }
        if detail.contains("failedToValidateHostname") || detail.contains("Hostname") {
            return "its certificate is for another name than the one in the address"
        }
        return
            "its certificate is not trusted, or it does not use https; name an authority with --certificate-authority"
    }
}
