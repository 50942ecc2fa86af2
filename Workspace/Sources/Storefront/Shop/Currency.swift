/// A currency by its code of ISO 4217, with the number of decimals that its amounts have.
struct Currency: Sendable, Hashable {
    /// Three capital letters.
    let code: String

    private static let withoutDecimals: Set<String> = [
        "BIF", "CLP", "DJF", "GNF", "ISK", "JPY", "KMF", "KRW", "PYG", "RWF", "UGX", "VND", "VUV", "XAF", "XOF", "XPF",
    ]
    private static let withThreeDecimals: Set<String> = ["BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"]

    /// Nil for anything but three capital letters.
    init?(_ code: String) {
        guard code.utf8.count == 3, code.utf8.allSatisfy({ (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) })
        else { return nil }
        self.code = code
    }

    /// Digits behind the decimal point.
    var decimals: Int {
        if Self.withoutDecimals.contains(code) { return 0 }
        return Self.withThreeDecimals.contains(code) ? 3 : 2
    }
}
