import ArgumentParser
import Foundation

/// Which stored events a command takes for a destination.
struct EventChoiceOptions: ParsableArguments {
    @Option(help: "Only events of this type: track, identify, screen, page, group or alias.")
    var type: String?

    // `--name` would be taken for that of the destination.
    @Option(help: "Only events of this name.")
    var event: String?

    @Option(help: "Only events of the user with this id.")
    var user: String?

    @Option(help: "Only events of the device with this anonymous id.")
    var anonymous: String?

    @OptionGroup var range: TimeRangeOptions
    @OptionGroup var conditions: ConditionOptions

    var isEmpty: Bool { items.isEmpty }

    /// The choice as the query of a request.
    /// - Throws: `Failure` when a condition cannot be read.
    func query() throws(Failure) -> [URLQueryItem] {
        _ = try conditions.read()
        return items
    }

    private var items: [URLQueryItem] {
        let columns = [("type", type), ("name", event), ("userId", user), ("anonymousId", anonymous)]
        return columns.compactMap { name, value in value.map { URLQueryItem(name: name, value: $0) } } + range.query
            + conditions.query
    }
}
