/// The part of the app or of the library that emitted a signal.
public enum SignalSource: String, Hashable, Sendable, CaseIterable {
    /// The automatic capture of network requests.
    case autoNetwork
    /// The controls that replace SwiftUI's.
    case autoSwiftUI
    /// The automatic capture of UIKit.
    case autoUIKit
    /// The app itself, or its events.
    case manual
}
