import TributaryJSON

/// A plugin whose work is the same for every type of event: it gets the members themselves, in place, so that nothing
/// is copied or looked up for the type.
protocol MemberPlugin: Plugin {
    /// Changes the members of an event.
    func shape(_ event: inout JSONObject)
}
