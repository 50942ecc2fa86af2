#if canImport(SwiftUI)
public import SwiftUI

// The initialisers are those of SwiftUI as Apple documents them for the SDKs of iOS 26 and macOS 26 (Xcode 26). They
// are there for every SDK, because they are made of those with a label.

@available(iOS 16.0, macOS 13.0, tvOS 16.0, watchOS 9.0, *)
extension SignalSecureField where Label == Text {
    /// A field for a password.
    @_disfavoredOverload
    public init(
        _ title: LocalizedStringResource, text: Binding<String>, prompt: Text? = nil
    ) {
        self.init(SecureField(text: text, prompt: prompt, label: { Text(title) }), ViewTitle.of(title))
    }
}
#endif
