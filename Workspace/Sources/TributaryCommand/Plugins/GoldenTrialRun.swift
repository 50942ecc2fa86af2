import Foundation
import TributaryJSON
import TributaryPluginTestKit
import TributaryTesting
import WorkspaceCore

/// Plays golden sessions for the server.
struct GoldenTrialRun {
    /// The name of the bundle in faults.
    private static let name = "plugins.js"
    /// After this number of seconds, no further session is played.
    private static let patience = 15.0

    private let file: String
    private let end = ContinuousClock.now + .seconds(patience)

    /// - Parameter file: a file of golden sessions.
    init(_ file: String) { self.file = file }

    /// The file with the results under a bundle, in a member of its own. Sessions for which the time was too short are left out.
    func recorded(under source: String) -> JSON {
        let replay = GoldenReplay(source: source, name: Self.name)
        do {
            var golden = try GoldenSessions(Array(file.utf8))
            var played: [GoldenSession] = []
            for session in golden.sessions where ContinuousClock.now < end {
                played.append(try replay.recorded(session))
            }
            golden.sessions = played
            return ["golden": .string(String(decoding: golden.encoded, as: UTF8.self))]
        } catch {
            return ["fault": .string("\(error)")]
        }
    }

    /// The differences between two bundles, in the form that `openapi.json` describes.
    func review(of source: String, against base: String) -> JSON {
        let log = TrialLog()
        var (review, isComplete, fault) = (GoldenReview(), true, String?.none)
        do {
            let golden = try GoldenSessions(Array(file.utf8))
            review = GoldenReview(plan: golden.plan)
            var after = GoldenReplay(source: source, name: Self.name)
            after.fault = { log.count(fault: $0) }
            let before = GoldenReplay(source: base, name: Self.name)
            for session in golden.sessions {
                guard ContinuousClock.now < end else {
                    isComplete = false
                    break
                }
                // A bundle that devices would not run does nothing.
                let today = (try? before.recorded(session)) ?? session
                do {
                    review.add(session: try after.comparisons(of: today))
                } catch {
                    fault = "\(error)"
                    review.add(session: try GoldenReplay(source: "", name: Self.name).comparisons(of: today))
                }
            }
        } catch {
            (fault, isComplete) = ("\(error)", false)
        }
        var json = review.json
        json["complete"] = .bool(isComplete)
        json["fault"] = .string(fault)
        json["faults"] = log.faultsJSON
        return json
    }
}
