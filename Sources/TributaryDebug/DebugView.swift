#if canImport(SwiftUI)
import Dispatch
public import SwiftUI
import Tributary

/// The last events of a client, what each plugin did to them, and the client's diagnostics. It is updated as events
/// come.
///
/// `View.tributaryDebug(_:)` opens it with a button. An app can also show it at a place of its own, such as its settings.
public struct DebugView: View {
    private let recorder: DebugRecorder
    @State private var log = DebugLog()
    @State private var showsDiagnostics = false
    @State private var observation: Observation?

    /// A view of what the recorder has.
    public init(_ recorder: DebugRecorder) { self.recorder = recorder }

    public var body: some View {
        VStack(alignment: .leading) {
            Text(verbatim: DebugText.summary(log, recorder.eventCounters))
            HStack {
                Button(action: { showsDiagnostics.toggle() }) {
                    Text(verbatim: showsDiagnostics ? "Show events" : "Show diagnostics")
                }
                Button(action: { recorder.clear() }) { Text(verbatim: "Clear") }
            }
            if showsDiagnostics {
                List(log.diagnostics) { entry in Text(verbatim: DebugText.line(entry.diagnostic)) }
            } else {
                List(log.events) { event in DebugEventRow(event: event) }
            }
        }
        .padding()
        .onAppear { follow() }
        .onDisappear { stop() }
    }

    private func follow() {
        log = recorder.log
        stop()
        observation = recorder.observe { [recorder] in
            DispatchQueue.main.async { MainActor.assumeIsolated { log = recorder.log } }
        }
    }

    private func stop() {
        observation?.cancel()
        observation = nil
    }
}

/// One event: its name, and a line for each plugin that did something to it.
private struct DebugEventRow: View {
    let event: DebugEvent

    var body: some View {
        VStack(alignment: .leading) {
            Text(verbatim: DebugText.title(event))
            Text(verbatim: DebugText.steps(event).joined(separator: "\n"))
        }
    }
}
#endif
