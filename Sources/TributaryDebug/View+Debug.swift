#if canImport(SwiftUI)
public import SwiftUI
import Tributary

extension View {
    /// Puts a small button over the view, which shows the client's last events and what each plugin did to them.
    ///
    /// ```swift not compiled: a fragment of an app
    /// WindowGroup { ShelfView().tributaryDebug(recorder) }
    /// ```
    ///
    /// In a release build the view stays as it is.
    @MainActor public func tributaryDebug(_ recorder: DebugRecorder) -> some View {
        #if DEBUG
        return DebugOverlay(recorder: recorder, content: self)
        #else
        return self
        #endif
    }
}

#if DEBUG
/// A view with a button at its lower edge, which opens the list of events.
private struct DebugOverlay<Content: View>: View {
    let recorder: DebugRecorder
    let content: Content
    @State private var isOpen = false

    var body: some View {
        ZStack(alignment: .bottomTrailing) {
            content
            Button(action: { isOpen = true }) { Text("Events") }.padding()
        }
        .sheet(isPresented: $isOpen) { DebugView(recorder) }
    }
}
#endif
#endif
