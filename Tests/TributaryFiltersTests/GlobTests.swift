import Testing
import TributaryFilters
import TributaryJSON

@Suite struct GlobTests {
    @Test(
        "Each glob pattern matches its text or not, as documented",
        arguments: [
            ("", "", true), ("a", "", false), ("", "*", true), ("", "?", false), ("", "**", true),
            ("abc", "abc", true), ("abc", "ab", false), ("ab", "abc", false), ("abc", "ABC", false),
            ("abc", "a*", true), ("abc", "*c", true), ("abc", "*b", false), ("abc", "*b*", true), ("abc", "a*c", true),
            ("aab", "*ab", true), ("abab", "*ab", true), ("mississippi", "m*iss*p*i", true),
            ("mississippi", "m*iss*q*i", false),
            ("dir/sub/file", "dir/*", true), ("dir/sub", "dir?sub", true), ("a/b", "a[^x]b", true),
            ("abc", "a?c", true), ("ac", "a?c", false), ("abc", "???", true), ("abc", "????", false),
            ("b", "[abc]", true), ("d", "[abc]", false), ("d", "[^abc]", true), ("b", "[^abc]", false),
            ("", "[^a]", false), ("b", "[a-c]", true), ("B", "[a-c]", false), ("5", "[a-c0-9]", true),
            ("!", "[!a]", true), ("b", "[!a]", false), ("^", "[a^]", true), ("*", "[*]", true), ("x", "[*]", false),
            ("b", "[c-a]", false), ("b", "[^c-a]", true), ("c", "[b-ac]", true), ("x]", "[x]]", true),
            ("*", #"\*"#, true), ("x", #"\*"#, false), (#"\"#, #"\\"#, true), ("a", #"\a"#, true),
            ("]", #"[\]]"#, true),
            ("-", #"[a\-z]"#, true), ("m", #"[a\-z]"#, false), ("^", #"[\^]"#, true), ("[", "[[]", true),
            // malformed: nothing matches
            ("a", "[", false), ("a", "[a", false), ("", "[]", false), ("]", "[]", false), ("a", "[]a]", false),
            ("a", "[^]", false), ("a", "[a-]", false), ("-", "[-]", false), ("a", "[-a]", false), ("a", #"a\"#, false),
            ("a", "*[", false), ("a", #"[a\"#, false), ("b", "[a-b-c]", false), ("abc[", "abc[", false),
            // units of UTF-16
            ("🙂", "?", false), ("🙂", "??", true), ("🙂", "🙂", true), ("a🙂b", "a*b", true), ("é", "?", true),
            ("e\u{301}", "?", false), ("ж", "[а-я]", true), ("ж", "[a-z]", false), ("żółw", "ż?ł*", true),
            // beginnings and ends of eight and more
            ("prefix-longer-than-eight", "prefix-longer-*", true),
            ("prefix-LONGER-than-eight", "prefix-longer-*", false),
            ("x-suffix-longer", "*suffix-longer", true), ("x-suffix-LONGER", "*suffix-longer", false),
            ("tail", "*tail", true), ("xtail", "*tail", true), ("ail", "*tail", false),
            ("eightish", "eightish", true), ("eightish!", "eightish", false), ("seven77", "seven77", true),
        ])
    func globs(text: String, pattern: String, expected: Bool) throws {
        let ir: JSON = ["match", "text", ["value": .string(pattern)]]
        #expect(try FilterMatcher(fql(ir.description)).matches(["text": .string(text)]) == expected)
        // the same with a pattern from the event
        let dynamic = try FilterMatcher(fql(#"["match","text","pattern"]"#))
        #expect(try dynamic.matches(["text": .string(text), "pattern": .string(pattern)]) == expected)
    }

    @Test("A glob matches texts only")
    func otherValues() throws {
        let matcher = try FilterMatcher(fql(#"["match","text","pattern"]"#))
        #expect(try !matcher.matches(["text": 5, "pattern": "*"]))
        #expect(try !matcher.matches(["text": "5", "pattern": 5]))
        #expect(try !matcher.matches(["pattern": "*"]))
        #expect(try !FilterMatcher(fql(#"["match","text",{"value":5}]"#)).matches(["text": "5"]))
    }
}
