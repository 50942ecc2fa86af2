/// The calls to make, in their order. Everything was checked before the first of them is made.
struct Programme {
    /// How many events the calls make.
    let eventCount: Int
    /// A description for people: `7411 events in 460 sessions`.
    let description: String
    let callCount: Int
    /// The call at a place.
    let call: (Int) throws(InputError) -> Call
}
