import TributaryJSON

/// A plugin that does the same for every type of event. It changes the members in place, so that nothing is copied and
/// no type is looked up.
protocol MemberPlugin: Plugin {
    /// Changes the members of an event.
    func shape(_ event: inout JSONObject)
}
