// error: deprecated in visionOS 1.0
// system: visionOS
import SwiftUI

@MainActor func link(_ isActive: Binding<Bool>) -> some View {
    NavigationLink(isActive: isActive, destination: { Text("Shop") }, label: { Text("Go") })
}
