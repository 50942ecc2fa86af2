import Foundation
import GRDB
package import TributaryJSON

extension SourceRegistry {
    /// Makes rules the newest version of the filters.
    /// - Parameter plan: how they are rolled out; nil gives them to all devices.
    package func deployFilters(_ rules: JSON, plan: RolloutPlan? = nil, to writeKey: String) async throws -> Source {
        let now = now()
        return try await change(writeKey) { db, source in
            if plan != nil, let newest = source.newestFilters?.set, newest.isStaged {
                throw Refusal(
                    .conflict,
                    "version \(newest.version) of the filters is staged for \(newest.percentage) %; let its roll-out end, or roll back, first"
                )
            }
            let percentage = plan?.stages.first ?? 100
            let sha256 = try Store.insertFilters(
                db, source: source.id, rules: rules, percentage: percentage, now: now)
            let version = (source.newestFilters?.set.version ?? 0) + 1
            try Store.endRollout(.filters, of: source.id, because: "an operator deployed version \(version)", db)
            if let plan {
                try Store.removeSamples(.filters, of: source.id, db)
                let rollout = RolloutRecord(
                    source: source.id, kind: .filters, version: version,
                    previous: source.versionForAll(.filters), plan: plan, now: now)
                try Store.put(rollout, db)
            }
            var details: JSONObject = [
                "version": .number(version), "rules": .number(rules.elements?.count ?? 0), "sha256": .string(sha256),
                "percentage": .number(percentage),
            ]
            details["plan"] = plan?.json
            return AuditEntry(action: .filtersReplaced, details: details)
        }
    }

    /// Makes an older version of the filters the newest once more, for all devices. Version 0 has no rules.
    package func redeployFilters(_ version: Int64, of writeKey: String) async throws -> Source {
        let now = now()
        return try await change(writeKey) { db, source in
            try Store.repeatFilters(db, source: source.id, version: version, now: now)
            try Store.endRollout(
                .filters, of: source.id, because: "an operator went back to version \(version)", db)
            return AuditEntry(
                action: .filtersRolledBack,
                details: [
                    "version": .number((source.newestFilters?.set.version ?? 0) + 1), "contentOf": .number(version),
                ])
        }
    }
}
