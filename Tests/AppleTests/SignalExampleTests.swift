// The aliases of the documentation, as an app writes them: from here on the controls of this file make signals.
#if canImport(AppleFoundation)
import AnalyticsLive
import SwiftUI
import Testing

private typealias Button = SignalButton
private typealias NavigationLink = SignalNavigationLink
@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
private typealias NavigationStack = SignalNavigationStack
private typealias TextField = SignalTextField
private typealias SecureField = SignalSecureField

/// A form with a control of each kind.
@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
private struct LoginView: View {
    let name: Binding<String>
    let password: Binding<String>
    let log: @MainActor () -> Void

    var body: some View {
        NavigationStack {
            TextField("Name", text: name)
            SecureField("Password", text: password)
            Button("Log in", action: log)
            NavigationLink("Help") { Text("Ask us.") }
        }
    }
}

@Suite("Examples of signals in SwiftUI")
@MainActor
struct SignalExampleTests {
    @Test("Example 30: with five aliases an app's controls are the controls that make signals")
    func example30() {
        let text = Binding.constant("")
        let controls: [any View] = [
            Button("Log in") {}, NavigationLink("Help") { Text("Ask us.") }, TextField("Name", text: text),
            SecureField("Password", text: text), NavigationStack { Text("Root") },
        ]
        let names = controls.map { "\(type(of: $0))".prefix { $0 != "<" } }
        #expect(
            names == [
                "SignalButton", "SignalNavigationLink", "SignalTextField", "SignalSecureField", "SignalNavigationStack",
            ])
        let view = LoginView(name: text, password: text) {}
        #expect("\(type(of: view.body))".hasPrefix("SignalNavigationStack<NavigationPath, TupleView<"))
    }
}
#endif
