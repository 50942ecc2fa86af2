import Foundation

/// What a benchmark found out about one promise. Whether that is good enough is not decided here.
public struct Measurement: Encodable {
    let name: String
    let value: Double
    let floor: Double?
    let details: [String: Double]
    let floors: [Double]

    /// - Parameters:
    ///   - name: the promise.
    ///   - value: in the promise's unit.
    ///   - floor: what cannot be avoided, in the same unit, measured in the same run; nil where there is nothing like it.
    ///   - details: further figures by name.
    ///   - floors: the floor of each round, which shows whether the machine was busy.
    public init(
        _ name: String, _ value: Double, floor: Double? = nil, details: [String: Double] = [:], floors: [Double] = []
    ) {
        self.name = name
        self.value = value
        self.floor = floor
        self.details = details
        self.floors = floors
    }

    /// Writes the measurement as one line of JSON to the standard output.
    public func report() throws { try Self.write(self) }

    /// Writes any value as one line of JSON to the standard output.
    public static func write(_ value: some Encodable) throws {
        FileHandle.standardOutput.write(try JSONEncoder().encode(value) + Data("\n".utf8))
    }
}
