import Foundation
import WorkspaceCore

extension RequestCountries {
    /// Looks the countries of the events of a request up.
    /// - Parameters:
    ///   - plain: a body that was checked, inflated.
    ///   - policy: that of the source; never `auto`.
    ///   - connection: the address that the request came from; nil when that is not the sender's.
    /// - Returns: nil when no event gets a country.
    init?(
        _ database: CountryDatabase, of plain: [UInt8], _ form: RequestForm, by policy: CountryPolicy,
        connection: String?
    ) {
        guard policy != .none, form != .traces, form != .signals else { return nil }
        let country = policy == .connection ? connection.flatMap(database.country) : nil
        let addresses = Self.addresses(plain, form)
        guard !addresses.isEmpty else {
            self.init([country])
            return
        }
        // Events of one batch often have the same address.
        var known: [String: CountryCode?] = [:]
        let codes = addresses.map { address -> CountryCode? in
            switch address {
            case .none: return country
            case .some(nil): return nil
            case .some(let text?):
                if let code = known[text] { return code }
                let code = database.country(of: text)
                known[text] = code
                return code
            }
        }
        self.init(codes)
    }

    /// The addresses that the events carry; empty when none carries one. Then the text needs no further scan.
    private static func addresses(_ plain: [UInt8], _ form: RequestForm) -> [SentAddress] {
        plain.withUnsafeBufferPointer { bytes in
            // The body was checked, so the scan reads it once more without an error.
            guard bytes.hasIPName, let scan = try? RequestScan(bytes, form, members: RequestScan.addressMembers)
            else { return [] }
            let addresses = scan.addresses(form)
            return addresses.allSatisfy { $0 == .none } ? [] : addresses
        }
    }
}

extension CountryDatabase {
    /// The country of an address as a text; nil for a text that is none.
    func country(of text: String) -> CountryCode? { IPAddress.plainBytes(of: text).flatMap(country) }
}

extension UnsafeBufferPointer<UInt8> {
    /// Whether the text contains `"ip"`. A name with escapes, which no client writes, is not found.
    fileprivate var hasIPName: Bool {
        guard let start = baseAddress else { return false }
        var place = 2
        // The letter p is rare, so most of the text is passed quickly.
        while place < count - 1, let found = memchr(start + place, Int32(UInt8(ascii: "p")), count - 1 - place) {
            place = UnsafeRawPointer(found) - UnsafeRawPointer(start)
            if self[place - 1] == UInt8(ascii: "i"), self[place - 2] == quote, self[place + 1] == quote { return true }
            place += 1
        }
        return false
    }

    private var quote: UInt8 { UInt8(ascii: "\"") }
}
