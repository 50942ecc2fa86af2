// error: deprecated in iOS 16.0
// system: iOS newest
import SwiftUI

@MainActor func link(_ isActive: Binding<Bool>) -> some View {
    NavigationLink(isActive: isActive, destination: { Text("Shop") }, label: { Text("Go") })
}
