import ArgumentParser
import Foundation

/// When events were received.
struct TimeRangeOptions: ParsableArguments {
    @Option(help: "Only events received at that time or later: 2026-11-21T01:00:00Z, or a day.")
    var since: String?

    @Option(help: "Only events received before that time.")
    var until: String?

    var query: [URLQueryItem] {
        [("since", since), ("until", until)].compactMap { name, value in
            value.map { URLQueryItem(name: name, value: $0) }
        }
    }
}
