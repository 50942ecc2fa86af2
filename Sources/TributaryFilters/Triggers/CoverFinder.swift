import TributaryJSON

/// Finds which triggers cover a condition. Recurses as deep as the program's conditions are nested.
struct CoverFinder {
    let program: FilterProgram

    /// The cover of the events for which the condition has that answer, or an unknown one.
    func cover(of position: Int32, being answer: Bool = true) -> Cover {
        switch (program.nodes[Int(position)], answer) {
        case (.always, false), (.never, true): .all([])
        case (.not(let operand), _): cover(of: operand, being: !answer)
        case (.and(let start, let end), true), (.or(let start, let end), false):
            common(program.lists[Int(start)..<Int(end)], being: answer)
        case (.and(let start, let end), false), (.or(let start, let end), true):
            .all(of: program.lists[Int(start)..<Int(end)].map { cover(of: $0, being: answer) })
        case (.equal(let left, let right), true), (.notEqual(let left, let right), false): equal(left, right)
        case (.isTrue(let operand), true): place(of: operand).map { .trigger(.kind($0, .bool)) } ?? .nothing
        case (.compare(let order, let left, let right), true): compare(order, left, right)
        case (.isIn(let item, let start, let end), true): isIn(item, program.lists[Int(start)..<Int(end)])
        case (.contains(let text, let other), true): contains(text, other)
        case (.match(let text, let glob), true): match(text, program.globs[Int(glob)])
        default: .nothing
        }
    }

    // MARK: Logic

    /// All operands have the answer, so the cover of each of them is enough. But when one operand is unknown,
    /// evaluation continues, and later operands need not have the wanted answer.
    private func common(_ operands: ArraySlice<Int32>, being answer: Bool) -> Cover {
        let decisive = operands.prefix(
            (operands.firstIndex(where: mayBeUnknown) ?? operands.endIndex) - operands.startIndex + 1)
        return .each(of: decisive.map { cover(of: $0, being: answer) })
    }

    /// Whether a fault can be reached inside a condition.
    private func mayBeUnknown(_ position: Int32) -> Bool {
        switch program.nodes[Int(position)] {
        case .fault, .isInEvent: true
        case .not(let operand): mayBeUnknown(operand)
        case .and(let start, let end), .or(let start, let end), .isIn(_, let start, let end):
            program.lists[Int(start)..<Int(end)].contains(where: mayBeUnknown)
        // Operands are never unknown: a fault of an operand is a fault of its condition.
        default: false
        }
    }

    // MARK: Comparisons

    private func equal(_ left: Int32, _ right: Int32) -> Cover {
        switch (program.nodes[Int(left)], program.nodes[Int(right)]) {
        case (.place(let place), .literal(let literal)), (.literal(let literal), .place(let place)):
            .trigger(trigger(place, program.literals[Int(literal)]))
        case (.lowercase(let operand), .literal(let literal)), (.literal(let literal), .lowercase(let operand)):
            lowercase(operand, program.literals[Int(literal)])
        default: .nothing
        }
    }

    private func trigger(_ place: Int32, _ literal: FilterProgram.Literal) -> Trigger {
        switch literal.json {
        case .string(let text): .text(place, hash: TextHash.hash(text))
        case .number: .number(place, literal.value.number)
        case .null, .bool, .array, .object: .kind(place, literal.value.kind)
        }
    }

    /// The lower case of a value that is not a text is null.
    private func lowercase(_ operand: Int32, _ literal: FilterProgram.Literal) -> Cover {
        guard let place = place(of: operand), let text = literal.json.stringValue else { return .nothing }
        return .trigger(.lowercase(place, hash: TextHash.hash(text)))
    }

    private func compare(_ order: FilterNode.Order, _ left: Int32, _ right: Int32) -> Cover {
        if let place = place(of: left), let literal = literal(of: right) {
            return bound(place, literal, isLower: order == .greater || order == .greaterOrEqual)
        }
        if let literal = literal(of: left), let place = place(of: right) {
            return bound(place, literal, isLower: order == .less || order == .lessOrEqual)
        }
        return .nothing
    }

    /// Only numbers are less or greater than others.
    private func bound(_ place: Int32, _ literal: FilterProgram.Literal, isLower: Bool) -> Cover {
        guard literal.value.kind == .number else { return .all([]) }
        let number = literal.value.number
        return .trigger(isLower ? .atLeast(place, number) : .atMost(place, number))
    }

    private func isIn(_ item: Int32, _ list: ArraySlice<Int32>) -> Cover {
        .all(of: list.map { equal(item, $0) })
    }

    // MARK: Texts

    private func contains(_ operand: Int32, _ other: Int32) -> Cover {
        guard let place = place(of: operand), let literal = literal(of: other) else { return .nothing }
        guard let text = literal.json.stringValue else { return .all([]) }
        return contains(place, Array(text.utf8))
    }

    private func contains(_ place: Int32, _ bytes: [UInt8]) -> Cover {
        .trigger(bytes.isEmpty ? .kind(place, .text) : .contains(place, bytes))
    }

    private func match(_ operand: Int32, _ glob: Glob) -> Cover {
        guard let place = place(of: operand) else { return .nothing }
        return glob.isMalformed ? .all([]) : contains(place, glob.longestText)
    }

    // MARK: Operands

    private func place(of operand: Int32) -> Int32? {
        if case .place(let place) = program.nodes[Int(operand)] { place } else { nil }
    }

    private func literal(of operand: Int32) -> FilterProgram.Literal? {
        if case .literal(let literal) = program.nodes[Int(operand)] { program.literals[Int(literal)] } else { nil }
    }
}
