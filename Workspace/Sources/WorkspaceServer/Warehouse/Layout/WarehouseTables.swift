import TributaryJSON
import WorkspaceCore

/// The tables of a warehouse as one connection knows them. It makes rows of events.
struct WarehouseTables {
    /// The tables, as far as is known.
    var schema = WarehouseSchema()
    private let times: WarehouseTimes
    private var layout = WarehouseLayout()

    /// - Parameter times: the times that a column of the database holds.
    init(times: WarehouseTimes = .all) { self.times = times }

    /// The rows of events that are loaded together.
    /// - Parameter failing: the error for an event that cannot be read.
    mutating func batch<Failure: WarehouseError>(
        _ events: [[UInt8]], failing: Failure.Type
    ) throws(Failure) -> WarehouseBatch {
        var batch = WarehouseBatch(times: times)
        for event in events {
            do {
                batch.add(try JSON.parse(event), layout: &layout, schema: schema)
            } catch {
                throw failing.init("an event cannot be read: \(error)")
            }
        }
        return batch
    }

    /// The changes after which a table takes the rows.
    func changes(for load: WarehouseLoad) -> [WarehouseSchema.Change] {
        let columns = Dictionary(load.columns.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
        return schema.changes(of: load.table, to: columns)
    }
}
