import Foundation
import TributaryJSON
import WorkspaceCore
import WorkspaceServer

/// An event queue of a client: one for each process that uses the folder at the same time.
struct ClientQueue {
    /// The number in the folder's name.
    let number: UInt64
    let logs: [ClientLog]
    let delivery: ClientDelivery?
    /// Why the file about delivery cannot be used.
    let deliveryDamage: String?
    /// Whether a running process has the queue; nil when that is unknown.
    let isOpen: Bool?

    /// The number in the name of a folder; nil for the name of another file.
    static func number(_ name: String) -> UInt64? {
        guard name.hasPrefix("lane-"), let number = UInt64(name.dropFirst(5)), "lane-\(number)" == name else {
            return nil
        }
        return number
    }

    /// - Parameter keeping: the most events of each log to keep.
    init(_ number: UInt64, in client: String, scratch: String, keeping: Int = 0) throws(Failure) {
        self.number = number
        let folder = "\(client)/lane-\(number)"
        logs = try ClientLog.Name.allCases.map { name throws(Failure) in
            try ClientLog(name, in: folder, number, scratch: scratch, keeping: keeping)
        }
        do throws(ClientFile.Damage) {
            delivery = try ClientFile.object(folder + "/delivery.json").map(ClientDelivery.init)
            deliveryDamage = nil
        } catch {
            (delivery, deliveryDamage) = (nil, error.reason)
        }
        isOpen = HeldLocks.isHeld("\(folder)/inbox/lock")
    }

    func log(_ name: ClientLog.Name) -> ClientLog? { logs.first { $0.name == name } }

    func count(_ name: ClientLog.Name) -> Int { log(name)?.count ?? 0 }

    var json: JSON {
        var json: JSON = ["number": .number(number), "open": isOpen.map(JSON.bool) ?? .null]
        for log in logs { json[log.name.rawValue] = log.json }
        json["delivery"] = delivery?.json ?? .null
        return json
    }
}
