// Compiles only when each cast of the table in `NumberCastTests` does, those of Apple's Foundation included.
import Foundation
import TributaryJSON

func numberCasts(of json: JSON) -> [Any?] {
    let value = json.anyValue
    return [
        value as? Double, value as? Float, value as? CGFloat, value as? Int, value as? Int64, value as? Int32,
        value as? UInt, value as? UInt64, value as? UInt8, value as? Bool, value as? Decimal, value as? NSNumber,
        value as? NSDecimalNumber, json.decimalValue,
    ]
}

func castsOfCollections(in json: JSON) -> [Any?] {
    let dictionary = json.dictionaryValue
    return [
        dictionary?["a"] as? [String: Double], dictionary?["a"] as? [String: Decimal],
        dictionary?["a"] as? [String: NSNumber], dictionary?["b"] as? [Int], dictionary?["b"] as? [CGFloat],
    ]
}
