import WorkspaceCore

/// Reads the cells of the pages of a damaged database.
///
/// https://sqlite.org/fileformat2.html#b_tree_pages
struct SQLitePageReader {
    /// The content of one page.
    struct Content {
        /// Pages below this one.
        var children: [Int] = []
        var cells: [Cell] = []
        /// Whether its cells are rows of a table with row numbers; else they are entries of an index or rows of a table
        /// without numbers.
        var hasRowids: Bool
        /// Whether the page has a valid type. If not, its cells are a guess.
        var isCertain = true
        /// Whether the head of the page does not lead to all of its cells.
        var isDamaged = false
    }

    struct Cell {
        /// 0 in pages without numbers.
        let rowid: Int64
        /// Nil when it cannot be read.
        let values: [SQLiteValue]?
    }

    private enum Kind: UInt8 {
        case interiorIndex = 2, interiorTable = 5, leafIndex = 10, leafTable = 13

        var isInterior: Bool { self == .interiorIndex || self == .interiorTable }
    }

    let pages: SQLitePages

    /// The content of a page. The first page begins with the header of the file.
    ///
    /// A page without a valid type is read as rows: its header may have been overwritten while its cells are still
    /// there. The caller skips cells that are not rows of a known table.
    func content(of page: [UInt8], number: Int = 0) -> Content {
        let start = number == 1 ? 100 : 0
        guard page.count == SQLitePages.pageSize else { return Content(hasRowids: true) }
        let kind = Kind(rawValue: page[start])
        let head = kind?.isInterior == true ? 12 : 8
        let room = (page.count - start - head) / 2
        let count = kind == nil ? room : min(page.bigEndian(at: start + 3, bytes: 2), room)
        var content = Content(hasRowids: kind != .interiorIndex && kind != .leafIndex, isCertain: kind != nil)
        content.isDamaged = kind == nil
        for index in 0..<count {
            let place = page.bigEndian(at: start + head + 2 * index, bytes: 2)
            guard place >= start + head, place < page.count else {
                content.isDamaged = true
                continue
            }
            add(kind ?? .leafTable, page, place, to: &content)
        }
        if kind != .interiorTable, content.cells.contains(where: { $0.values == nil }) { content.isDamaged = true }
        if kind?.isInterior == true { content.children.append(page.bigEndian(at: start + 8, bytes: 4)) }
        return content
    }

    /// Rows in a page of which no pointer leads to its cells any more: each place is tried. A record says how long it is in
    /// three ways, so hardly any bytes look like one by chance.
    /// - Parameter columns: how many columns a record may have.
    func cellsByTheirBytes(of page: [UInt8], columns: ClosedRange<Int>) -> [Cell] {
        guard page.count == SQLitePages.pageSize else { return [] }
        var cells: [Cell] = []
        var place = 0
        while place < page.count - 4 {
            var start = place
            place += 1
            guard page[start] != 0, let size = page.varint(&start), let rowid = page.varint(&start), rowid > 0,
                Self.isHead(page, at: start, of: size, columns: columns),
                let values = payload(page, start, size, isTable: true).flatMap(SQLiteValue.record)
            else { continue }
            cells.append(Cell(rowid: rowid, values: values))
            place = min(start + Int(size), page.count)
        }
        return cells
    }

    /// Whether the head of a record is there, and speaks of as many bytes as the cell.
    private static func isHead(_ page: [UInt8], at start: Int, of size: Int64, columns: ClosedRange<Int>) -> Bool {
        var place = start
        guard let head = page.varint(&place), head > columns.lowerBound, head <= columns.upperBound * 9 + 2,
            head <= size, start + Int(head) <= page.count
        else { return false }
        var (bytes, count) = (head, 0)
        while place < start + Int(head) {
            guard let type = page.varint(&place), let width = SQLiteValue.width(of: type), width <= size else {
                return false
            }
            bytes += width
            count += 1
        }
        return place == start + Int(head) && bytes == size && columns.contains(count)
    }

    /// The pages below a page, without reading its cells.
    func children(of page: [UInt8]) -> [Int] {
        guard let kind = Kind(rawValue: page[0]), kind.isInterior else { return [] }
        let count = min(page.bigEndian(at: 3, bytes: 2), (page.count - 12) / 2)
        let places = (0..<count).map { page.bigEndian(at: 12 + 2 * $0, bytes: 2) }.filter { $0 + 4 <= page.count }
        return places.map { page.bigEndian(at: $0, bytes: 4) } + [page.bigEndian(at: 8, bytes: 4)]
    }

    private func add(_ kind: Kind, _ page: [UInt8], _ place: Int, to content: inout Content) {
        var place = place
        if kind.isInterior {
            guard place + 4 <= page.count else { return }
            content.children.append(page.bigEndian(at: place, bytes: 4))
            place += 4
        }
        guard kind != .interiorTable, let size = page.varint(&place) else { return }
        var rowid: Int64 = 0
        if kind == .leafTable {
            guard let number = page.varint(&place) else { return }
            rowid = number
        }
        let values = payload(page, place, size, isTable: kind == .leafTable).flatMap(SQLiteValue.record)
        content.cells.append(Cell(rowid: rowid, values: values))
    }

    /// The bytes of a cell; a part of them may be on other pages.
    private func payload(_ page: [UInt8], _ place: Int, _ size: Int64, isTable: Bool) -> [UInt8]? {
        let usable = SQLitePages.pageSize
        guard size > 0, size <= Int64(pages.count) * Int64(usable) else { return nil }
        let size = Int(size)
        let most = isTable ? usable - 35 : (usable - 12) * 64 / 255 - 23
        let least = (usable - 12) * 32 / 255 - 23
        let fitting = least + (size - least) % (usable - 4)
        let local = size <= most ? size : fitting <= most ? fitting : least
        guard place + local + (local < size ? 4 : 0) <= page.count else { return nil }
        var bytes = Array(page[place..<place + local])
        var next = local < size ? page.bigEndian(at: place + local, bytes: 4) : 0
        var seen: Set<Int> = []
        while bytes.count < size {
            guard let more = pages.page(next), seen.insert(next).inserted else { return nil }
            bytes += more[4..<4 + min(size - bytes.count, usable - 4)]
            next = more.bigEndian(at: 0, bytes: 4)
        }
        return bytes
    }
}
