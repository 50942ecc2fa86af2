package import TributaryJSON

/// Checks texts that may be nested more deeply than a parser reads.
package enum JSONCheck {
    /// - Throws: the fault of a text that is not JSON, with its place.
    package static func anyDepth(_ text: [UInt8]) throws(JSONError) {
        let failure = text.withUnsafeBufferPointer { text -> JSONError? in
            var scanner = JSONScanner(text, passesDeeper: true)
            do throws(JSONError) {
                try scanner.document { scanner throws(JSONError) in try scanner.value() }
                return nil
            } catch {
                return error
            }
        }
        if let failure { throw failure }
    }
}
