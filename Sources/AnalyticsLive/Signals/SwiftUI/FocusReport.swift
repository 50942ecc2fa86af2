#if canImport(SwiftUI)
import SwiftUI
import TributaryJSON

/// A field that reports when it gets and loses the focus, on systems that report that.
struct FocusReport<Content: View>: View {
    let content: Content
    let component: String
    let name: ControlName

    var body: some View {
        if #available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *) {
            FocusWatch(report: self)
        } else {
            content
        }
    }

    func report(_ isFocused: Bool) { ControlSignals.emit(component, name, ["focused": .bool(isFocused)]) }
}

/// Has a focus state of its own beside the app's; SwiftUI supports several.
@available(iOS 15.0, macOS 12.0, tvOS 15.0, watchOS 8.0, *)
struct FocusWatch<Content: View>: View {
    @FocusState private var isFocused: Bool
    let report: FocusReport<Content>

    init(report: FocusReport<Content>) { self.report = report }

    var body: some View {
        let content = report.content.focused($isFocused)
        if #available(iOS 17.0, macOS 14.0, tvOS 17.0, watchOS 10.0, *) {
            content.onChange(of: isFocused) { report.report($1) }
        } else {
            content.onChange(of: isFocused) { report.report($0) }
        }
    }
}
#endif
