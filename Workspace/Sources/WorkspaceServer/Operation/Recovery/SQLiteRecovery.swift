import WorkspaceCore

/// Finds the rows of known tables in a damaged database, page by page.
///
/// First come the rows that the file's own trees reach, so that of two rows with one number the current one comes
/// first; then rows on pages that no tree reaches; then rows in damaged frames of the log. The types of its columns
/// decide to which table a row belongs, whatever tree led to it. Free pages are skipped as long as the file says which
/// they are, because they may have deleted rows.
struct SQLiteRecovery {
    struct FoundRow {
        let shape: RecordShape
        let rowid: Int64
        let values: [SQLiteValue]
    }

    private let pages: SQLitePages
    private let reader: SQLitePageReader
    private let shapes: [RecordShape]
    /// The shape that the file's trees give a page, as an index of `shapes`.
    private var owners: [Int: Int] = [:]
    private var free: Set<Int> = []
    /// The row numbers of a table that rows or indexes contain; some occur twice.
    private var known: [String: [Int64]] = [:]
    /// The numbers in a page of an index that may be one of several tables.
    private var unclear: [(tables: [String], rowids: [Int64])] = []

    init(_ pages: SQLitePages, shapes: [RecordShape]) {
        (self.pages, self.shapes) = (pages, shapes)
        reader = SQLitePageReader(pages: pages)
        free = pages.freePages()
        for (shape, root) in roots() { claim(root, for: shape) }
    }

    /// Rows are looked for by their bytes when they have at least as many columns: short ones look like anything.
    private static let fewestColumns = 6

    /// Calls back with each row that can be read; some come twice.
    /// - Returns: the number of rows that each table with numbers had, as far as rows or indexes still show it.
    mutating func forEachRow(_ take: (FoundRow) throws -> Void) throws -> [String: Int] {
        known = [:]
        unclear = []
        var damaged: [Int] = []
        for isOwned in [true, false] {
            for number in stride(from: 1, through: pages.count, by: 1) {
                guard (owners[number] != nil) == isOwned, !free.contains(number), let page = pages.page(number) else {
                    continue
                }
                let content = reader.content(of: page, number: number)
                try read(content, owner: owners[number].map { shapes[$0] }, take)
                if content.isDamaged { damaged.append(number) }
            }
        }
        // Last, because an older state of a row may be among these bytes.
        for number in damaged { try readBytes(of: number, take) }
        for place in pages.log.damaged {
            guard let page = pages.page(atPlaceInLog: place) else { continue }
            try read(reader.content(of: page), owner: nil, take)
        }
        settleUnclear()
        return known.mapValues { Set($0).count }
    }

    private mutating func readBytes(of number: Int, _ take: (FoundRow) throws -> Void) throws {
        let wide = shapes.filter { $0.isTable && $0.hasRowids && $0.columns.count >= Self.fewestColumns }
        guard let most = wide.map(\.columns.count).max(), let page = pages.page(number) else { return }
        for cell in reader.cellsByTheirBytes(of: page, columns: Self.fewestColumns...most) {
            guard let values = cell.values else { continue }
            let fitting = wide.filter { $0.fits(values, rowid: cell.rowid) }
            guard let shape = fitting.first, fitting.count == 1 else { continue }
            known[shape.table, default: []].append(cell.rowid)
            try take(FoundRow(shape: shape, rowid: cell.rowid, values: values))
        }
    }

    private mutating func read(
        _ content: SQLitePageReader.Content, owner: RecordShape?, _ take: (FoundRow) throws -> Void
    ) throws {
        var candidates: [Int64] = []
        var tables: [String] = []
        for cell in content.cells {
            guard let values = cell.values else {
                if content.isCertain, let owner, owner.isTable, owner.hasRowids, content.hasRowids {
                    known[owner.table, default: []].append(cell.rowid)
                }
                continue
            }
            let fitting = shapes(of: cell, values, content.hasRowids, owner)
            if let shape = fitting.first, fitting.count == 1 {
                if shape.isTable {
                    if shape.hasRowids { known[shape.table, default: []].append(cell.rowid) }
                    try take(FoundRow(shape: shape, rowid: cell.rowid, values: values))
                } else if shape.isComplete, case .integer(let rowid)? = values.last {
                    known[shape.table, default: []].append(rowid)
                }
            } else if !content.hasRowids, fitting.allSatisfy({ !$0.isTable }), case .integer(let rowid)? = values.last {
                candidates.append(rowid)
                tables = fitting.filter(\.isComplete).map(\.table)
            }
        }
        if !candidates.isEmpty { unclear.append((tables, candidates)) }
    }

    /// The shape of the page's owner when the record fits it; else all shapes that it fits.
    private func shapes(
        of cell: SQLitePageReader.Cell, _ values: [SQLiteValue], _ hasRowids: Bool, _ owner: RecordShape?
    ) -> [RecordShape] {
        if let owner, owner.hasRowids == hasRowids, owner.fits(values, rowid: cell.rowid) { return [owner] }
        return shapes.filter { $0.hasRowids == hasRowids && $0.fits(values, rowid: cell.rowid) }
    }

    /// A page of an index belongs to the table that has most of its rows.
    private mutating func settleUnclear() {
        let sets = known.mapValues(Set.init)
        for page in unclear {
            let counts = page.tables.map { table in (table, page.rowids.count { sets[table]?.contains($0) == true }) }
            guard let best = counts.max(by: { $0.1 < $1.1 }), best.1 > 0 else { continue }
            known[best.0, default: []] += page.rowids
        }
    }

    // MARK: Trees

    /// The first pages of tables and indexes, as the schema in the file says.
    private func roots() -> [(shape: Int, root: Int)] {
        var (waiting, seen, roots): ([Int], Set<Int>, [(Int, Int)]) = ([1], [1], [])
        while let number = waiting.popLast() {
            guard let page = pages.page(number) else { continue }
            let content = reader.content(of: page, number: number)
            waiting += content.children.filter { seen.insert($0).inserted }
            for cell in content.cells {
                guard let values = cell.values, values.count == 5, case .text(let name) = values[1],
                    case .integer(let root) = values[3],
                    let shape = shapes.firstIndex(where: { $0.name.utf8.elementsEqual(name) })
                else { continue }
                roots.append((shape, Int(clamping: root)))
            }
        }
        return roots
    }

    /// Assigns the pages of a tree to a shape. A page that two trees claim stays with the first.
    private mutating func claim(_ root: Int, for shape: Int) {
        var waiting = [root]
        while let number = waiting.popLast() {
            guard number > 1, !free.contains(number), owners[number] == nil, let page = pages.page(number) else {
                continue
            }
            owners[number] = shape
            waiting += reader.children(of: page)
        }
    }
}
