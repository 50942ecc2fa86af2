import TributaryJSON

/// The members of an object in a file; the error names a member that is missing or of the wrong kind.
struct Members {
    private let object: JSONObject

    init(_ json: JSON, of what: String) throws(InputProblem) {
        guard let object = json.objectValue else { throw InputProblem("\(what) is a JSON object") }
        self.object = object
    }

    /// A text that is not empty.
    func text(_ key: String) throws(InputProblem) -> String {
        guard let value = try textIfPresent(key) else { throw InputProblem("\"\(key)\" is missing") }
        return value
    }

    func textIfPresent(_ key: String) throws(InputProblem) -> String? {
        guard let value = object[key] else { return nil }
        guard let text = value.stringValue, !text.isBlank else {
            throw InputProblem("\"\(key)\" is a text that is not empty")
        }
        return text
    }

    func flagIfPresent(_ key: String) throws(InputProblem) -> Bool? {
        guard let value = object[key] else { return nil }
        guard let flag = value.boolValue else { throw InputProblem("\"\(key)\" is true or false") }
        return flag
    }

    /// A whole number in a range.
    func count(_ key: String, in range: ClosedRange<Int>) throws(InputProblem) -> Int {
        guard let value = object[key] else { throw InputProblem("\"\(key)\" is missing") }
        guard let count = value.intValue, range.contains(count) else {
            throw InputProblem("\"\(key)\" is a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return count
    }

    /// An amount with exactly the decimals that the currency has.
    func money(_ key: String, in currency: Currency) throws(InputProblem) -> Money {
        guard let value = object[key] else { throw InputProblem("\"\(key)\" is missing") }
        guard let number = value.numberValue, let money = Money(number, currency: currency) else {
            throw InputProblem(
                "\"\(key)\" is an amount of \(currency.code), a number with \(currency.decimals) decimals, not \(value)"
            )
        }
        return money
    }

    /// An object inside this one.
    func members(_ key: String) throws(InputProblem) -> Members? {
        guard let value = object[key] else { return nil }
        return try Members(value, of: "\"\(key)\"")
    }

    /// The elements of an array that is not empty, each read by `read`; an error says which one is wrong.
    func list<Element>(
        _ key: String, limit: Int, _ read: (JSON) throws(InputProblem) -> Element
    ) throws(InputProblem) -> [Element] {
        guard let values = object[key]?.elements, (1...limit).contains(values.count) else {
            throw InputProblem("\"\(key)\" is an array of 1 to \(limit) elements")
        }
        var elements: [Element] = []
        elements.reserveCapacity(values.count)
        for (index, value) in values.enumerated() {
            do throws(InputProblem) {
                elements.append(try read(value))
            } catch {
                throw InputProblem("\"\(key)\" element \(index + 1): \(error.reason)")
            }
        }
        return elements
    }
}
