extension FixedWidthInteger {
    /// The whole number below that one, or the nearest that there is: an `Int` of a watch has 32 bits, and converting a number
    /// beyond it ends the process. 0 for what is no number.
    init(clamping value: Double) {
        // The limits themselves may not be exact as `Double`, so they are not converted back.
        if value.isNaN {
            self = 0
        } else if value >= Double(Self.max) {
            self = .max
        } else if value <= Double(Self.min) {
            self = .min
        } else {
            self.init(value)
        }
    }
}
