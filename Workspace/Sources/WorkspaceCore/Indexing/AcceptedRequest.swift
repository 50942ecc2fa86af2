/// A request as the journal stores it: unchanged, with the facts that are known only at its arrival.
///
/// Layout: version, form, flags (1 gzip, 2 uploadedAt is known, 4 addresses have a rule, 8 the browser
/// asks for Global Privacy Control, 16 events have countries), then source, receivedAt and
/// uploadedAt as 64-bit little-endian numbers; with a rule, its number, the length of an address and the address; with
/// countries, these; then the body. Something that older programs cannot read raises the version. Version 2 has countries; a
/// request without them is written as version 1, so that an older program can store it.
package struct AcceptedRequest: Sendable, Equatable {
    package let form: RequestForm
    package let isCompressed: Bool
    package let source: Int64
    /// Milliseconds since 1970, by the server's clock.
    package let receivedAt: Int64
    /// When the client began the upload, by its clock; nil when it did not say.
    package let uploadedAt: Int64?
    /// The rule for IP addresses; nil leaves them unchanged.
    package let address: AddressRule?
    /// Whether the header `Sec-GPC` of the request asks for Global Privacy Control.
    package let asksForPrivacy: Bool
    /// The countries of the events; nil adds none.
    package let countries: RequestCountries?
    package let body: [UInt8]

    private static let version: UInt8 = 2
    private static let oldest: UInt8 = 1
    /// What future versions begin with. Anything above is no record.
    private static let newer = version + 1...31
    private static let versions = oldest...version
    package static let headBytes = 3 + 3 * 8

    package init(
        form: RequestForm, isCompressed: Bool, source: Int64, receivedAt: Int64, uploadedAt: Int64?,
        address: AddressRule? = nil, asksForPrivacy: Bool = false, countries: RequestCountries? = nil,
        body: [UInt8]
    ) {
        (self.form, self.isCompressed, self.source) = (form, isCompressed, source)
        (self.receivedAt, self.uploadedAt, self.address) = (receivedAt, uploadedAt, address)
        (self.asksForPrivacy, self.countries, self.body) = (asksForPrivacy, countries, body)
    }

    /// The record for the journal.
    package var encoded: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(Self.headBytes + body.count)
        let flags: UInt8 =
            (isCompressed ? 1 : 0) | (uploadedAt == nil ? 0 : 2) | (address == nil ? 0 : 4)
            | (asksForPrivacy ? 8 : 0) | (countries == nil ? 0 : 16)
        bytes += [countries == nil ? Self.oldest : Self.version, form.code, flags]
        for number in [source, receivedAt, uploadedAt ?? 0] {
            withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
        }
        if let address {
            let text = (address.address ?? "").utf8.prefix(Int(UInt8.max))
            bytes += [address.policy.code, UInt8(text.count)] + text
        }
        if let countries { bytes += countries.encoded }
        bytes += body
        return bytes
    }

    /// Whether a newer version wrote the record. It has to wait for a program that can read it.
    package static func isNewer(_ record: [UInt8]) -> Bool { record.first.map(newer.contains) ?? false }

    /// The source of a record of the journal, without the other parts; nil for a record that is none.
    package static func source(of record: [UInt8]) -> Int64? {
        guard record.count >= headBytes, versions.contains(record[0]) else { return nil }
        return record.withUnsafeBytes { Int64(littleEndian: $0.loadUnaligned(fromByteOffset: 3, as: Int64.self)) }
    }

    /// Parses a record of the journal; nil when it is damaged, and when a newer version or another program wrote it.
    package init?(_ record: [UInt8]) {
        guard record.count >= Self.headBytes, Self.versions.contains(record[0]),
            let form = RequestForm(code: record[1]),
            record[2] < (record[0] == Self.oldest ? 16 : 32)
        else { return nil }
        let numbers = record.withUnsafeBytes { bytes in
            (0..<3).map { Int64(littleEndian: bytes.loadUnaligned(fromByteOffset: 3 + $0 * 8, as: Int64.self)) }
        }
        var rest = record[Self.headBytes...]
        var address: AddressRule?
        if record[2] & 4 != 0 {
            guard let rule = AddressRule(&rest) else { return nil }
            address = rule
        }
        var countries: RequestCountries?
        if record[2] & 16 != 0 {
            guard let found = RequestCountries(&rest) else { return nil }
            countries = found
        }
        self.init(
            form: form, isCompressed: record[2] & 1 != 0, source: numbers[0], receivedAt: numbers[1],
            uploadedAt: record[2] & 2 != 0 ? numbers[2] : nil, address: address,
            asksForPrivacy: record[2] & 8 != 0, countries: countries, body: Array(rest))
    }
}

extension AddressRule {
    /// Takes a rule from the beginning of what is left of a record.
    fileprivate init?(_ rest: inout ArraySlice<UInt8>) {
        guard let code = rest.popFirst(), let policy = AddressPolicy(code: code), let count = rest.popFirst(),
            rest.count >= Int(count)
        else { return nil }
        let text = String(decoding: rest.prefix(Int(count)), as: UTF8.self)
        rest = rest.dropFirst(Int(count))
        self.init(policy: policy, address: text.isEmpty ? nil : text)
    }
}

extension AddressPolicy {
    /// The number of the policy in the journal. A number never gets another meaning.
    fileprivate var code: UInt8 {
        switch self {
        case .asSent: 0
        case .keep: 1
        case .truncate: 2
        case .drop: 3
        }
    }

    fileprivate init?(code: UInt8) {
        guard let policy = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = policy
    }
}
