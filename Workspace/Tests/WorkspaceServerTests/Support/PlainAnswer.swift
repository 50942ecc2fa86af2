import Foundation

/// An answer as it came over the connection.
struct PlainAnswer {
    let status: Int
    let text: String
    private let headers: [String: String]

    init(_ answer: String) {
        let parts = answer.components(separatedBy: "\r\n\r\n")
        let lines = parts[0].components(separatedBy: "\r\n")
        status = lines[0].split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        text = parts.dropFirst().joined(separator: "\r\n\r\n")
        headers = Dictionary(
            lines.dropFirst().compactMap { line in
                line.range(of: ": ").map { (line[..<$0.lowerBound].lowercased(), String(line[$0.upperBound...])) }
            },
            uniquingKeysWith: { first, _ in first })
    }

    func header(_ name: String) -> String? { headers[name.lowercased()] }
}
