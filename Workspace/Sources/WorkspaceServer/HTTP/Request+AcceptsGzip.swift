import HTTPTypes
import Hummingbird

extension Request {
    /// Whether the client says that it reads answers in gzip.
    var acceptsGzip: Bool {
        guard let header = headers[.acceptEncoding] else { return false }
        return header.split(separator: ",").contains { part in
            let words = part.split(separator: ";").map { $0.filter { $0 != " " }.lowercased() }
            let isRefused = words.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
            return words.first == "gzip" && !isRefused
        }
    }
}
