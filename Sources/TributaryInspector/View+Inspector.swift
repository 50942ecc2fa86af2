#if canImport(SwiftUI)
public import SwiftUI
import Tributary

extension View {
    /// Puts a small button over the view, which shows what the client does, its last events and what each plugin did to them.
    ///
    /// ```swift not compiled: a fragment of an app
    /// WindowGroup { ShelfView().tributaryInspector(inspector) }
    /// ```
    ///
    /// When the inspector is off, as in release builds, the view stays as it is.
    @MainActor @ViewBuilder public func tributaryInspector(_ inspector: ClientInspector) -> some View {
        if inspector.isOn {
            InspectorOverlay(inspector: inspector, content: self)
        } else {
            self
        }
    }
}

/// A view with a button at its lower edge, which opens the inspector.
private struct InspectorOverlay<Content: View>: View {
    let inspector: ClientInspector
    let content: Content
    @State private var isOpen = false

    var body: some View {
        ZStack(alignment: .bottomTrailing) {
            content
            Button(action: { isOpen = true }) { Text(verbatim: "Inspector") }.padding()
        }
        .sheet(isPresented: $isOpen) { InspectorView(inspector) }
    }
}
#endif
