import TributaryJSON

extension FilterTransformer {
    /// Compiles a transformer. An invalid part is reported and replaced by its safe side.
    ///
    /// The safe side is to drop the event. For one entry of `map_properties` it is to remove the value that the entry
    /// would overwrite.
    init(safely json: JSON, limits: FilterLimits, errors: inout [FilterError]) {
        do throws(FilterError) {
            action = try Self.action(json, limits: limits, errors: &errors)
        } catch {
            errors.append(error)
            action = .drop
        }
    }

    /// A warning about a form that is valid and most likely a mistake; nil otherwise.
    var remark: FilterError? {
        switch action {
        case .map(let map) where map.isMissing:
            FilterError(.badConfiguration, at: "config.map", "the map is missing; nothing is changed")
        case .sample(let sampling) where sampling.share.isNaN:
            FilterError(
                .badConfiguration, at: "config.sample.percent",
                "must be a number from 0 to 1; the events that the rule concerns are dropped")
        case .nothing, .drop, .select, .map, .sample: nil
        }
    }

    /// The part of this transformer that only removes data. It is applied to every event when the matcher is not valid.
    var withholding: FilterTransformer {
        switch action {
        case .nothing, .drop, .select, .sample: self
        case .map(let map): FilterTransformer(action: .map(map.withholding()))
        }
    }

    private static func action(
        _ json: JSON, limits: FilterLimits, errors: inout [FilterError]
    ) throws(FilterError) -> Action {
        guard let object = json.objectValue else {
            throw FilterError(.unknownTransformer, at: "", "a transformer must be an object")
        }
        guard let type = object["type"]?.stringValue else {
            throw FilterError(.unknownTransformer, at: "type", "the transformer's type is missing")
        }
        switch type {
        case "drop": return .drop
        case "hash_properties": return .nothing
        case "drop_properties", "allow_properties", "map_properties", "sample_event": break
        default:
            throw FilterError(
                .unknownTransformer, at: "type", "unknown transformer type '\(FilterError.shortened(type))'")
        }
        guard let config = object["config"]?.objectValue else {
            throw FilterError(.badConfiguration, at: "config", "must be an object")
        }
        return try action(type, config, limits: limits, errors: &errors)
    }

    private static func action(
        _ type: String, _ config: JSONObject, limits: FilterLimits, errors: inout [FilterError]
    ) throws(FilterError) -> Action {
        switch type {
        case "drop_properties":
            return .select(try PropertySelection(.remove, config["drop"], at: "config.drop", limits: limits))
        case "allow_properties":
            return .select(try PropertySelection(.keep, config["allow"], at: "config.allow", limits: limits))
        case "map_properties":
            return .map(try PropertyMap(config["map"], at: "config.map", limits: limits, errors: &errors))
        default:
            return .sample(try Sampling(config["sample"], at: "config.sample", limits: limits))
        }
    }
}
