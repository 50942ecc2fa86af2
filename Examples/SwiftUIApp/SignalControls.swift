import AnalyticsLive
import SwiftUI

// With these lines the controls of the whole app make signals, once `useSwiftUIAutoSignal` is on. Nothing else changes.
typealias Button = SignalButton
typealias NavigationLink = SignalNavigationLink
@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
typealias NavigationStack = SignalNavigationStack
typealias TextField = SignalTextField
typealias SecureField = SignalSecureField

/// A form with a field of each kind.
@available(iOS 16, macOS 13, tvOS 16, watchOS 9, *)
struct LoginView: View {
    @Binding var name: String
    @Binding var password: String

    var body: some View {
        NavigationStack {
            VStack {
                TextField("Name", text: $name)
                SecureField("Password", text: $password)
                Button("Log in") {}
                NavigationLink("Help") { Text("Ask us.") }
            }
        }
    }
}
