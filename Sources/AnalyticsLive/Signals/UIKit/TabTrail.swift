/// Knows which tab each tab bar controller shows, so that a change of the tab is reported once.
///
/// The system says in several ways that the user chose a tab: by the tab bar where there is one, and otherwise, as with the
/// tabs at the top of an iPad, only by the view controller that appears. Whichever comes first counts.
struct TabTrail<Controller: Hashable> {
    /// The most controllers that are remembered. No app shows more at a time.
    static var controllers: Int { 16 }

    private var shown: [Controller: String] = [:]

    /// - Parameters:
    ///   - tab: the tab that a controller shows now.
    ///   - former: the tab before it, where the system still knows it.
    /// - Returns: the tab before, when the user sees another tab now. The first tab of a controller is no change.
    mutating func shows(_ tab: String, after former: String? = nil, in controller: Controller) -> String? {
        if shown.count >= Self.controllers, shown[controller] == nil { shown = [:] }
        let before = shown.updateValue(tab, forKey: controller) ?? former
        return before == tab ? nil : before
    }
}
