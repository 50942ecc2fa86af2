import TributaryJSON

/// The object that a script of a test run gets for `new Analytics(writeKey)`: a source with a user of its own and
/// without plugins.
final class OtherTestSource: TestSource {
    private let send: (JSON) -> Void

    init(send: @escaping (JSON) -> Void) { self.send = send }

    override func take(_ event: JSON) { send(event) }
}
