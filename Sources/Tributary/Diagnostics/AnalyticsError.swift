public import Foundation

/// A failure, for the configuration's error handler. Its cases are those of analytics-swift, with one more.
///
/// ```swift
/// let configuration = Configuration(writeKey: "KEY").errorHandler { error in
///     switch error {
///     case AnalyticsError.networkServerRejected(_, let status): print("the server answered \(status)")
///     case AnalyticsError.networkUnknown: break  // offline; it is tried again
///     default: print(error)
///     }
/// }
/// ```
///
/// More cases may come; a `default` is needed.
public indirect enum AnalyticsError: Error, Sendable {
    /// A file cannot be made.
    case storageUnableToCreate(String)
    /// A file cannot be written.
    case storageUnableToWrite(String)
    /// A file cannot be renamed.
    case storageUnableToRename(String)
    /// A file cannot be opened.
    case storageUnableToOpen(String)
    /// A file cannot be closed.
    case storageUnableToClose(String)
    /// The place for files is not valid.
    case storageInvalid(String)
    /// Events cannot be stored on disk. All storage errors of this client have this case, with a `Diagnostic`.
    case storageUnknown(any Error)
    /// The server answered with a status that no server of the protocol uses, such as a redirection.
    case networkUnexpectedHTTPCode(URL?, Int)
    /// The server limits the rate: 429.
    case networkServerLimited(URL?, Int)
    /// The server refused the request, or failed.
    case networkServerRejected(URL?, Int)
    /// There was no answer.
    case networkUnknown(URL?, any Error)
    /// The answer does not have the expected form.
    case networkInvalidData
    /// Values of a call have no JSON form. The `Diagnostic` inside names their places.
    case jsonUnableToSerialize(any Error)
    /// JSON could not be decoded as a type.
    case jsonUnableToDeserialize(any Error)
    /// Another error of JSON.
    case jsonUnknown(any Error)
    /// A plugin failed or took too long.
    case pluginError(any Error)
    /// A closure that changes events broke a rule.
    case enrichmentError(String)
    /// Settings could not be fetched or read.
    case settingsFail(AnalyticsError)
    /// A batch could not be sent.
    case batchUploadFail(AnalyticsError)
    /// Every error for which analytics-swift has no case.
    case other(Diagnostic)
}

extension AnalyticsError {
    /// The case for a diagnostic.
    init(_ diagnostic: Diagnostic) {
        if let cause = diagnostic.cause {
            self = cause
            return
        }
        switch diagnostic.kind {
        case .storage: self = .storageUnknown(diagnostic)
        case .invalidValue: self = .jsonUnableToSerialize(diagnostic)
        case .pluginFault: self = .pluginError(diagnostic)
        case .settings: self = .settingsFail(.other(diagnostic))
        default: self = .other(diagnostic)
        }
    }

    /// The error for a status; nil for a success.
    static func of(_ status: Int, at url: URL?) -> AnalyticsError? {
        switch status {
        case 200..<300: nil
        case 300..<400: .networkUnexpectedHTTPCode(url, status)
        case 429: .networkServerLimited(url, status)
        default: .networkServerRejected(url, status)
        }
    }

    /// The client's own diagnostic; nil for a network error, which has a complete description.
    public var diagnostic: Diagnostic? {
        switch self {
        case .other(let diagnostic): diagnostic
        case .settingsFail(let inner), .batchUploadFail(let inner): inner.diagnostic
        default: underlying as? Diagnostic
        }
    }

    /// The inner error, when there is one.
    public var underlying: (any Error)? {
        switch self {
        case .storageUnknown(let error), .networkUnknown(_, let error), .jsonUnableToSerialize(let error),
            .jsonUnableToDeserialize(let error), .jsonUnknown(let error), .pluginError(let error):
            error
        case .settingsFail(let inner), .batchUploadFail(let inner): inner
        case .other(let diagnostic): diagnostic
        default: nil
        }
    }
}

extension AnalyticsError: CustomStringConvertible {
    /// The failure as a sentence.
    public var description: String {
        switch self {
        case .storageUnableToCreate(let place): "\(place) cannot be created"
        case .storageUnableToWrite(let place): "\(place) cannot be written"
        case .storageUnableToRename(let place): "\(place) cannot be renamed"
        case .storageUnableToOpen(let place): "\(place) cannot be opened"
        case .storageUnableToClose(let place): "\(place) cannot be closed"
        case .storageInvalid(let place): "\(place) is not a place for files"
        case .networkUnexpectedHTTPCode(let url, let status), .networkServerLimited(let url, let status),
            .networkServerRejected(let url, let status):
            "\(url?.absoluteString ?? "the server") answered \(status)"
        case .networkUnknown(let url, let error): "\(url?.absoluteString ?? "the server") gave no answer: \(error)"
        case .networkInvalidData: "the answer does not have the expected form"
        case .enrichmentError(let reason): reason
        case .settingsFail(let inner): "settings: \(inner)"
        case .batchUploadFail(let inner): "a batch was not sent: \(inner)"
        default: underlying.map { "\($0)" } ?? "an error"
        }
    }
}

extension Diagnostic: Error {}
