/// The result of reading a text beside a known value, and how the two differ.
package struct JSONReading {
    package let value: JSON
    /// Whether there is a number or a `null` that the known value does not have at that place.
    package let hasNewNumbers: Bool
    /// Whether an object that is not the known one may begin with a key that begins with a digit. Languages that put such
    /// keys first may have changed its order.
    package let hasNumberedKeys: Bool
}
