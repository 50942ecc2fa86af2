import Foundation

/// How analytics-ios names the screen of a view controller: its class without "ViewController", else its title.
enum ScreenName {
    static let unknown = "Unknown"

    /// - Parameter className: the name of the class as the runtime tells it, with the name of its module.
    static func of(className: String, title: String?) -> String {
        let name = className.replacingOccurrences(of: "ViewController", with: "")
        if !name.isEmpty { return name }
        return title.flatMap { $0.isEmpty ? nil : $0 } ?? unknown
    }
}
