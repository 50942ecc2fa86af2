package import Crypto

extension SHA256Digest {
    /// The digest in lower-case hexadecimal.
    package var hexadecimal: String {
        reduce(into: "") { text, byte in
            if byte < 16 { text.append("0") }
            text.append(String(byte, radix: 16))
        }
    }
}
