#if canImport(SwiftUI)
public import SwiftUI

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 26 and macOS 26 (Xcode 26). They
// are there for every SDK, because they are made of those with a label.

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
extension SignalNavigationLink where Label == Text {
    /// A link with a text.
    @_disfavoredOverload
    public init(_ title: LocalizedStringResource, @ViewBuilder destination: () -> Destination) {
        self.init(destination: destination) { Text(title) }
    }
}

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
extension SignalNavigationLink where Label == Text, Destination == Never {
    /// A link with a value and a text.
    @_disfavoredOverload
    public init<P: Hashable>(_ title: LocalizedStringResource, value: P?) {
        self.init(value: value) { Text(title) }
    }

    /// The same with a value that can be restored.
    @_disfavoredOverload
    public init<P: Hashable & Codable>(_ title: LocalizedStringResource, value: P?) {
        self.init(value: value) { Text(title) }
    }
}
#endif
