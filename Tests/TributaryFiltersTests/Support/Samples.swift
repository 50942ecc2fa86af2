import TributaryFilters
import TributaryJSON

/// The event that most tests look at: one value of each kind.
let sampleEvent: JSON = [
    "type": "track", "event": "Ticket Bought", "userId": "u-77",
    "properties": [
        "amount": 12.5, "seats": 4, "none": 0, "loss": -3, "paid": true, "refunded": false, "gift": .null,
        "city": "Kraków", "note": "", "code": "AbC-9", "face": "🙂", "long": "a text of more than sixteen bytes",
        "tags": ["red", "blue", "red"], "nothing": [], "empty": [:],
        "lines": [["sku": "a", "count": 1], ["sku": "b", "count": 2], 7],
        "place": ["lat": 50.06, "lon": 19.94], "dotted.key": 1, "": "blank", "copyOfCode": "AbC-9",
        "copyOfPlace": ["lat": 50.06, "lon": 19.94], "turnedPlace": ["lon": 19.94, "lat": 50.06],
        "call": ["lowercase", "userId"], "operands": ["type", ["value": 5], 0, [1]], "holes": [.null], "pattern": "Ab*",
    ],
    "context": ["device": ["id": "d-1", "model": "m"], "ip": "10.0.0.1"],
]

/// A matcher of FQL.
func fql(_ ir: String) -> JSON { ["type": "fql", "ir": .string(ir)] }

/// A rule with one pair of matcher and transformers.
func rule(_ matcher: JSON, _ transformers: JSON..., destination: JSON = "Here") -> JSON {
    ["destinationName": destination, "matchers": [matcher], "transformers": [.array(transformers)]]
}

let all: JSON = ["type": "all", "ir": ""]
let drop: JSON = ["type": "drop"]

func dropProperties(_ config: JSON) -> JSON { ["type": "drop_properties", "config": ["drop": config]] }
func allowProperties(_ config: JSON) -> JSON { ["type": "allow_properties", "config": ["allow": config]] }
func mapProperties(_ config: JSON) -> JSON { ["type": "map_properties", "config": ["map": config]] }
func sample(_ percent: JSON, _ path: JSON = .null) -> JSON {
    ["type": "sample_event", "config": ["sample": ["percent": percent, "path": path]]]
}
