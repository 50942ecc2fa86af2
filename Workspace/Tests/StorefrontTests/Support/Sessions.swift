import Foundation
import TributaryJSON

@testable import Storefront

/// Sessions for tests.
enum Sessions {
    /// The file that comes with the repository.
    static let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../../../Examples/Storefront/Data/sessions.ndjson").standardizedFileURL.path

    /// A session in EUR with two products and the given steps.
    static func json(_ steps: [JSON]) -> JSON {
        [
            "session": "s-1", "locale": "de-DE", "currency": "EUR",
            "customer": ["id": "c-1", "name": "Käthe", "email": "kaethe@example.com", "since": "2024-02-29"],
            "company": ["id": "b-1", "name": "Kontor", "industry": "Tea", "employees": 3],
            "products": [
                ["id": "tea-1", "name": "Tee", "category": "Tea", "price": price("8.90"), "misnamed": true],
                ["id": "pot-2", "name": "Kanne", "category": "Kitchen", "price": price("24.95")],
            ],
            "steps": .array(steps),
        ]
    }

    static func calls(_ steps: [JSON]) throws -> [Call] {
        try SessionScript(Session(json: json(steps))).calls()
    }

    /// The reason for which the steps are refused; nil when they are accepted.
    static func problem(_ steps: [JSON]) -> String? {
        do {
            _ = try calls(steps)
            return nil
        } catch {
            return (error as? InputProblem)?.reason ?? "\(error)"
        }
    }

    /// A number as it is spelled in a file.
    static func price(_ spelling: String) -> JSON {
        guard let json = try? JSON.parse(spelling) else { return .null }
        return json
    }
}

extension Call {
    /// The name of a track call.
    var name: String? {
        switch self {
        case .track(let name, _), .trackLoosely(let name, _): name
        default: nil
        }
    }

    /// The properties of a track call as they will go on the wire.
    var properties: JSON? {
        switch self {
        case .track(_, let properties): try? JSON(with: properties)
        case .trackLoosely(_, let properties): try? JSON(properties)
        default: nil
        }
    }
}
