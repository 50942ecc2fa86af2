import AnalyticsLive
import SwiftUI
import Tributary

/// Asks whether events may be collected. Until the user decides, they are kept on the device.
struct ConsentView: View {
    @State private var isAsked = Analytics.main.consent == .pending

    var body: some View {
        VStack {
            Text(isAsked ? "May we collect what you do here?" : "Thank you.")
            Button("Yes") { decide(.granted) }
            Button("No") { decide(.denied) }
        }
    }

    private func decide(_ state: ConsentState) {
        Analytics.main.setConsent(state)
        isAsked = false
    }
}
