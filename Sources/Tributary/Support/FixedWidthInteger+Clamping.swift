extension FixedWidthInteger {
    /// The whole number below the value, or the nearest one that the type has; 0 for NaN. A plain conversion of a
    /// number out of range ends the process, and an `Int` on a watch has only 32 bits.
    init(clamping value: Double) {
        // The limits may not be exact as `Double`, so they are not converted back.
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
