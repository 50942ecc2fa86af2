/// The names in the text of a bundle: the class of a plugin is one of them, so a plugin that is not is invented.
struct BundleNames: Sendable {
    /// Under this name devices report what generators of signals do.
    private static let generators = "processSignal"

    private let names: Set<String>

    /// - Parameter text: JavaScript. It is not parsed: names are runs of letters, digits, `_`, `$` and what is not ASCII.
    init(of text: some Sequence<UInt8>) {
        var names: Set<String> = [Self.generators]
        var name: [UInt8] = []
        func end() {
            if !name.isEmpty, names.count < Limits.namesInBundle { names.insert(String(decoding: name, as: UTF8.self)) }
            name = []
        }
        for byte in text {
            if Self.isPart(byte) {
                name.append(byte)
            } else {
                end()
            }
        }
        end()
        self.names = names
    }

    func contains(_ name: String) -> Bool { names.contains(name) }

    private static func isPart(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || "_$".utf8.contains(byte) || byte >= 0x80
    }
}
