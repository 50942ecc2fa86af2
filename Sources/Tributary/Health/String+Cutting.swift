extension String {
    /// The beginning of the text, as far as it has no more than that many bytes, with a mark where it was cut.
    func cut(to bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        let mark = "…"
        var count = mark.utf8.count
        let kept = prefix { character in
            count += character.utf8.count
            return count <= bytes
        }
        return kept + mark
    }
}
