// error: is only available in iOS 16.0
// system: iOS
import SwiftUI

@available(iOS 14.0, *)
@MainActor func toggle(_ sources: [Binding<Bool>]) -> some View {
    Toggle("All", systemImage: "star", sources: sources, isOn: \.self)
}
