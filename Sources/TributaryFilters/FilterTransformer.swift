public import TributaryJSON

/// Changes or drops an event that a matcher has chosen.
///
/// - `drop` drops it.
/// - `drop_properties` and `allow_properties` remove the named keys, or all but them, inside the named objects.
/// - `map_properties` sets, copies and moves properties, and turns them into texts.
/// - `sample_event` passes a share of the events, selected at random or by the value at a path.
/// - `hash_properties` does nothing, as in the other evaluators of the field: values are **not** hashed.
public struct FilterTransformer: Sendable {
    /// The result of a transformer.
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
    /// - Parameter random: gives a number from 0 up to, not including, 1. Only `sample_event` without a path calls it.
    /// - Throws: `FilterError` when the event does not have the object that has to be written to. The event is then
    ///   unchanged.
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

    /// Applies all valid entries, and adds the others to the errors.
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
