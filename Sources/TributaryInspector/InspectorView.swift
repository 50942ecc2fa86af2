#if canImport(SwiftUI)
import Dispatch
public import SwiftUI
import Tributary

/// The state of a client, its last events with the effect of each plugin, its signals and its diagnostics. A switch holds delivery,
/// and a QR code opens the events of this device on a laptop. The view is updated as events come.
///
/// `View.tributaryInspector(_:)` opens it with a button. An app can also show it at a place of its own, such as its settings.
public struct InspectorView: View {
    private enum Part: String {
        case client = "Client"
        case events = "Events"
        case signals = "Signals"
        case diagnostics = "Diagnostics"
    }

    /// Seconds between two looks at the client while the view is there: the client does not announce each step of delivery.
    private static let interval = 1.0

    private let inspector: ClientInspector
    @State private var state = InspectorState(log: InspectorLog(), client: nil, isOn: true)
    @State private var part = Part.client
    @State private var observation: Observation?

    /// A view of what the inspector has.
    public init(_ inspector: ClientInspector) { self.inspector = inspector }

    public var body: some View {
        VStack(alignment: .leading) {
            HStack {
                choice(.client)
                choice(.events)
                choice(.signals)
                choice(.diagnostics)
            }
            content
            Button(action: { inspector.clear() }) { Text(verbatim: "Clear") }
        }
        .padding()
        .onAppear { follow() }
        .onDisappear { stop() }
    }

    private func choice(_ one: Part) -> some View {
        Button(action: { part = one }) { Text(verbatim: one == part ? "• \(one.rawValue)" : one.rawValue) }
    }

    @ViewBuilder private var content: some View {
        switch part {
        case .client: client
        case .events: List(state.log.events) { event in InspectedEventRow(event: event) }
        case .signals: List(state.log.signals) { signal in Text(verbatim: InspectorText.line(signal)) }
        case .diagnostics:
            List(state.log.diagnostics) { entry in Text(verbatim: InspectorText.line(entry.diagnostic)) }
        }
    }

    private var client: some View {
        ScrollView {
            VStack(alignment: .leading) {
                Text(verbatim: InspectorText.summary(state).joined(separator: "\n"))
                Toggle(isOn: holdsDelivery) { Text(verbatim: "Hold delivery") }
                if let page = state.client?.workspacePage { WorkspaceLink(page: page) }
            }
        }
    }

    private var holdsDelivery: Binding<Bool> {
        Binding(get: { [inspector] in inspector.holdsDelivery }, set: { [inspector] in inspector.holdsDelivery = $0 })
    }

    // MARK: Following the client

    private func follow() {
        stop()
        observation = inspector.observe { DispatchQueue.main.async { MainActor.assumeIsolated { look() } } }
        look()
        lookAgain()
    }

    private func look() { state = inspector.state }

    private func lookAgain() {
        DispatchQueue.main.asyncAfter(deadline: .now() + Self.interval) {
            MainActor.assumeIsolated {
                guard observation != nil else { return }
                look()
                lookAgain()
            }
        }
    }

    private func stop() {
        observation?.cancel()
        observation = nil
    }
}

/// One event: its name, and a line for each plugin that did something to it.
private struct InspectedEventRow: View {
    let event: InspectedEvent

    var body: some View {
        VStack(alignment: .leading) {
            Text(verbatim: InspectorText.title(event))
            Text(verbatim: InspectorText.steps(event).joined(separator: "\n"))
        }
    }
}
#endif
