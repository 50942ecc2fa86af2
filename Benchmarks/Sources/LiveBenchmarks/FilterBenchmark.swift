import Foundation
import Measuring
import TributaryFilters
import TributaryJSON

/// What the rules of a destination cost an event, and what those of other destinations do.
enum FilterBenchmark {
    struct Parameters: Decodable {
        let rounds: Int
        let events: Int
    }

    private static let warmUp = 2
    private static let destination = "Warehouse"

    static func run(_ parameters: Parameters) throws {
        let own = (0..<100).map { rule($0, for: destination) }
        let others = (0..<10_000).map { rule($0, for: "Other \($0 % 100)") }
        let acting = rule(99, for: destination, event: "Order Completed")
        let alone = try compiled(own)
        let crowded = try compiled(others + own)
        let withAction = try compiled(own.dropLast() + [acting])
        let scattered = try compiled((0..<100).map(scatteredRule))
        let many = try compiled((0..<10_000).map { rule($0, for: destination) })
        let event = try event()
        guard alone.apply(to: event, destination: destination).rules.isEmpty else { throw Failure("no rule may act") }
        guard scattered.apply(to: event, destination: destination).rules.isEmpty else { throw Failure("none may act") }
        guard many.apply(to: event, destination: destination).rules.isEmpty else { throw Failure("none may act") }
        guard withAction.apply(to: event, destination: destination).rules == [99] else { throw Failure("one must act") }

        var values: [Double] = []
        var crowdedValues: [Double] = []
        var actingValues: [Double] = []
        var scatteredValues: [Double] = []
        var manyValues: [Double] = []
        for round in -warmUp..<parameters.rounds {
            let times = (
                microseconds(alone, event, parameters.events), microseconds(crowded, event, parameters.events),
                microseconds(withAction, event, parameters.events), microseconds(scattered, event, parameters.events),
                microseconds(many, event, parameters.events)
            )
            guard round >= 0 else { continue }
            values.append(times.0)
            crowdedValues.append(times.1)
            actingValues.append(times.2)
            scatteredValues.append(times.3)
            manyValues.append(times.4)
        }
        try Measurement("filters-100-rules", least(values)).report()
        try Measurement("filters-100-rules-acting", least(actingValues)).report()
        try Measurement("filters-100-rules-scattered", least(scatteredValues)).report()
        try Measurement("filters-10000-rules", least(manyValues)).report()
        try Measurement("filters-other-destinations", least(crowdedValues), floor: least(values), floors: values)
            .report()
    }

    private static func compiled(_ rules: [JSON]) throws -> FilterRules {
        let rules = FilterRules(routingRules: .array(rules))
        guard rules.problems.isEmpty else { throw Failure("\(rules.problems)") }
        return rules
    }

    /// For one event, with all rules looked at.
    private static func microseconds(_ rules: FilterRules, _ event: JSON, _ count: Int) -> Double {
        let start = Clock.monotonic()
        for _ in 0..<count { blackHole(rules.apply(to: event, destination: destination)) }
        return Double(Clock.monotonic() - start) / Double(count) / 1000
    }

    /// Rules as people write them: the name of an event together with a property, the plan, a part of an address.
    private static func rule(_ number: Int, for destination: String, event: String? = nil) -> JSON {
        let name = event ?? "Event \(number)"
        let ir =
            switch number % 4 {
            case 0: #"["and",["=","event",{"value":"\#(name)"}],[">","properties.total",{"value":\#(number)}]]"#
            case 1: #"["contains","context.page.url",{"value":"/campaign-\#(number)/"}]"#
            case 2:
                #"["or",["=","properties.currency",{"value":"C\#(number)"}],["=","context.traits.plan",{"value":"p\#(number)"}]]"#
            default: #"["and",["=","type",{"value":"track"}],["=","event",{"value":"\#(name)"}]]"#
            }
        return rule(ir, for: destination)
    }

    /// Rules of many kinds over twenty properties, half of which the event has. What they look for is like what is
    /// there: parts of words that it has in another order, lists of names, the same text in another case.
    private static func scatteredRule(_ number: Int) -> JSON {
        let place = "properties.\(scatteredPlaces[number % scatteredPlaces.count])"
        let ir =
            switch number / scatteredPlaces.count {
            case 0: #"["=","\#(place)",{"value":"X\#(number)"}]"#
            case 1: #"["and",["=","event",{"value":"Order Completed"}],["=","\#(place)",{"value":"Y\#(number)"}]]"#
            case 2: #"["in","\#(place)",{"value":[{"value":"A\#(number)"},{"value":"B\#(number)"},{"value":-7}]}]"#
            case 3: #"["contains","context.page.url",{"value":"checkout/thanks\#(number).example"}]"#
            default: #"["=",["lowercase","event"],{"value":"order \#(number) completed"}]"#
            }
        return rule(ir, for: destination)
    }

    private static let scatteredPlaces = [
        "orderId", "total", "currency", "coupon", "shipping", "tax", "affiliation", "note", "products", "campaign",
        "absent0", "absent1", "absent2", "absent3", "absent4", "absent5", "absent6", "absent7", "absent8", "absent9",
    ]

    private static func rule(_ ir: String, for destination: String) -> JSON {
        [
            "scope": "destinations", "target_type": "workspace::project::destination",
            "destinationName": .string(destination),
            "matchers": [["type": "fql", "ir": .string(ir)]],
            "transformers": [[["type": "drop_properties", "config": ["drop": ["properties": ["coupon"]]]]]],
        ]
    }

    private static func event() throws -> JSON {
        var order = LiveSamples.order()
        order["note"] = "please ring twice"
        return [
            "type": "track", "event": "Order Completed", "messageId": "A7B6C5D4-1111-2222-3333-444455556666",
            "anonymousId": "00001111-2222-3333-4444-555566667777", "userId": "user-1042",
            "timestamp": "2026-11-21T09:30:00.000Z", "integrations": [:],
            "context": [
                "library": ["name": "tributary", "version": "0.1.0"], "locale": "de-DE",
                "page": ["url": "https://shop.example/checkout/thanks", "title": "Thank you"],
                "traits": ["plan": "pro"],
            ],
            "properties": try JSON(order),
        ]
    }
}

extension FilterRules {
    /// Applies the rules to a copy, as a destination gets one.
    fileprivate func apply(to event: JSON, destination: String) -> FilterOutcome {
        var copy = event
        let outcome = apply(to: &copy, destination: destination)
        blackHole(copy)
        return outcome
    }
}
