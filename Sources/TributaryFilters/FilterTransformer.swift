public import TributaryJSON

/// Changes or drops an event that a matcher has chosen.
///
/// - `drop` drops it.
/// - `drop_properties` and `allow_properties` remove the named keys, or all but them, inside the named objects.
/// - `map_properties` sets, copies, moves and makes texts of properties.
/// - `sample_event` lets a share of the events through, by chance or by the value at a path.
/// - `hash_properties` does nothing, as in the other evaluators of the field: values are **not** hashed.
public struct FilterTransformer: Sendable {
    /// What a transformer did.
    public enum Effect: Sendable, Hashable {
        /// It changed nothing.
        case kept
        /// It changed the event.
        case changed
        /// The event must not go on.
        case dropped
    }

    enum Action: Sendable {
        case nothing
        case drop
        case select(PropertySelection)
        case map(PropertyMap)
        case sample(Sampling)
    }

    let action: Action

    init(action: Action) { self.action = action }

    /// Compiles `{"type": name, "config": object}`.
    ///
    /// - Throws: `FilterError` with the place inside the transformer.
    public init(_ json: JSON, limits: FilterLimits = FilterLimits()) throws(FilterError) {
        var errors: [FilterError] = []
        self.init(safely: json, limits: limits, errors: &errors)
        if let error = errors.first { throw error }
    }

    /// Changes the event in place. Safe to call from any thread, on different events.
    ///
    /// - Parameter random: gives a number from 0 up to 1; asked only by `sample_event` without a path.
    /// - Throws: `FilterError` when the event has nothing at a place where something has to be written; the event is
    ///   then as it was.
    public func apply(
        to event: inout JSON, random: () -> Double = { Double.random(in: 0..<1) }
    ) throws(FilterError) -> Effect {
        let before = event
        var errors: [FilterError] = []
        let effect = apply(to: &event, random: random, errors: &errors)
        if let error = errors.first {
            event = before
            throw error
        }
        return effect
    }

    /// Applies what can be applied, and notes the entries that cannot.
    func apply(to event: inout JSON, random: () -> Double, errors: inout [FilterError]) -> Effect {
        switch action {
        case .nothing: .kept
        case .drop: .dropped
        case .select(let selection): selection.apply(to: &event) ? .changed : .kept
        case .map(let map): map.apply(to: &event, errors: &errors) ? .changed : .kept
        case .sample(let sampling): sampling.keeps(event, random: random) ? .kept : .dropped
        }
    }
}
