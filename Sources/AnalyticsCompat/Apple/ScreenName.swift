import Foundation

/// The name of a view controller's screen, as in analytics-ios: its class without "ViewController", else its title.
enum ScreenName {
    static let unknown = "Unknown"

    /// - Parameter className: the name of the class from the runtime, with the name of its module.
    static func of(className: String, title: String?) -> String {
        let name = className.replacingOccurrences(of: "ViewController", with: "")
        if !name.isEmpty { return name }
        return title.flatMap { $0.isEmpty ? nil : $0 } ?? unknown
    }
}
