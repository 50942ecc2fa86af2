import WorkspaceCore

extension AssistantTool {
    /// All tools, in the order in which they are listed.
    static let all = [
        sources, events, event, catalog, count, funnel, retention, people, groups, members, drops, rejected, plugin,
        filter,
    ]

    private static let types = ["track", "identify", "page", "screen", "group", "alias"]
    private static let source = ToolParameter("writeKey", "Write key of the source.", isRequired: true)

    private static let sources = AssistantTool(
        name: "list_sources", title: "List the sources",
        about: "Lists the sources of the workspace: apps and websites that send events, with their write keys.",
        parameters: [], question: .read("api/sources"))

    private static let events = AssistantTool(
        name: "list_events", title: "List or search stored events",
        about: """
            Lists stored events, newest first, with all their members. Combine the arguments to search. An answer \
            is one page: give its `next` as `before` (as `after` with the order asc) for the next one. A page of a \
            search with `where` may be empty although there is a next one.
            """,
        parameters: [
            ToolParameter("writeKey", "Only events of the source with this write key."),
            ToolParameter("type", "Only events of this type.", choices: types),
            ToolParameter("name", "Only events of this name."),
            ToolParameter("userId", "Only events of the user with this id."),
            ToolParameter("anonymousId", "Only events of the device with this id."),
            conditions,
        ] + range + page,
        question: .read("api/events"))

    private static let event = AssistantTool(
        name: "explain_event", title: "Explain an event",
        about: """
            Answers with two texts. The first is the stored event; when the device traced it, `stages` says what \
            each plugin and filter on the device did to it. The second says for each destination of the workspace \
            whether the event was sent there, waits or was not sent, and why. An event that is not stored may be \
            in list_drops or list_rejected.
            """,
        parameters: [ToolParameter("messageId", "The messageId of the event.", isRequired: true)],
        question: .event)

    private static let catalog = AssistantTool(
        name: "catalog", title: "List the names of events",
        about: """
            Lists the names of the events of a source, how many came on which day, and their properties with the \
            types of their values. It reads no event, so it is the quickest way to learn what an app sends.
            """,
        parameters: [
            source,
            ToolParameter("type", "Only events of this type.", choices: types),
            ToolParameter("name", "Only events of this name."),
            ToolParameter("limit", "How many names, at most 500; the 100 most frequent ones unless given.", .integer),
            ToolParameter("properties", "With false, the lists of properties are empty.", choices: ["true", "false"]),
        ] + days,
        question: .read("api/catalog"))

    private static let count = AssistantTool(
        name: "count_events", title: "Count events, or add up their numbers",
        about: """
            Counts the events and users of a source by the values of a property and by hour, day or week, and says a \
            statistic of the numbers of another property, such as the sum of properties.total. The server reads the \
            events one by one, so it may take a while; the catalog counts names at once.
            """,
        parameters: [
            source,
            ToolParameter(
                "property", "Counts apart by the values of this path: properties.plan. Without it, all events together."
            ),
            ToolParameter("and", "A second path: counts apart by pairs of values. It needs property."),
            ToolParameter("type", "Only events of this type.", choices: types),
            ToolParameter("name", "Only events of this name."),
            conditions,
            ToolParameter("interval", "Hours, days or weeks; days unless given.", choices: ["hour", "day", "week"]),
            ToolParameter(
                "time", "By which time an event counts; by its arrival unless given.",
                choices: ["received", "happened"]),
            ToolParameter("zone", "The time zone of the days, such as Europe/Berlin; that of the source unless given."),
            ToolParameter(
                "statistic", "What to say of the numbers of `of`.", choices: Statistic.allCases.map(\.rawValue)),
            ToolParameter("of", "The path of the numbers, such as properties.total."),
            ToolParameter("compare", "With true, as many days before are counted, too.", choices: ["true", "false"]),
            ToolParameter("limit", "How many values, at most 200; 20 unless given.", .integer),
        ] + days,
        question: .search("api/breakdown"))

    private static let funnel = AssistantTool(
        name: "funnel", title: "Count how far people come",
        about: """
            Counts the people of a source who did some events one after the other, within a window of time. Not in a \
            cluster.
            """,
        parameters: [
            source,
            ToolParameter("step", "Two to eight steps in their order. \(step)", .texts, isRequired: true),
            ToolParameter("window", "Seconds from the first step to the last at most; 604800 unless given.", .integer),
            ToolParameter("property", "Counts people apart by this property of their first step."),
            ToolParameter(
                "around", "The number of a step: also says what people did just before it, and next without going on.",
                .integer),
            ToolParameter("zone", "The time zone of the days; that of the source unless given."),
            ToolParameter("limit", "How many values, at most 200; 20 unless given.", .integer),
        ] + days,
        question: .search("api/funnel"))

    private static let retention = AssistantTool(
        name: "retention", title: "Count who comes back",
        about: """
            Counts how many of the people who did an event came back on later days or weeks. Not in a cluster.
            """,
        parameters: [
            source,
            ToolParameter("first", "The event that people do first. \(step)", isRequired: true),
            ToolParameter("returning", "The event that they come back for; the first one unless given."),
            ToolParameter("by", "Days or weeks; days unless given.", choices: ["day", "week"]),
            ToolParameter("zone", "The time zone of the days; that of the source unless given."),
        ] + days,
        question: .search("api/retention"))

    private static let people = AssistantTool(
        name: "find_people", title: "Find people by their traits",
        about: """
            Finds the people of a source with a text in a trait, such as a mail address or a name, or in the user id. List \
            the events of one by the userId or the anonymousId.
            """,
        parameters: [
            source, ToolParameter("search", "A part of a trait or of the user id, without its case.", isRequired: true),
            ToolParameter("limit", "How many people, at most 500; 50 unless given.", .integer),
        ] + arrival,
        question: .search("api/people"))

    private static let groups = AssistantTool(
        name: "list_groups", title: "List the groups of people",
        about:
            "Lists the groups of a source, such as companies or teams, with their traits and how many members they have.",
        parameters: [
            source, ToolParameter("search", "Only groups with this text in the id or a trait, without its case."),
            ToolParameter("limit", "How many groups, at most 500; 50 unless given.", .integer),
        ] + arrival,
        question: .search("api/groups"))

    private static let members = AssistantTool(
        name: "list_members", title: "List the members of a group",
        about: "Lists the people who sent a group event with the id of a group.",
        parameters: [
            source, ToolParameter("groupId", "The id of the group.", isRequired: true),
            ToolParameter("limit", "How many members, at most 500; 50 unless given.", .integer),
        ] + arrival,
        question: .search("api/groups/members"))

    /// The days on which events arrived.
    private static let arrival = [
        ToolParameter("since", "Only events that arrived on the day of this time or later."),
        ToolParameter("until", "Only events that arrived on days before this time."),
    ]

    private static let drops = AssistantTool(
        name: "list_drops", title: "List events that devices dropped",
        about: """
            Lists traces of events that a plugin, a filter or the user's consent dropped on the device, with the \
            stage that dropped them. Only devices that trace their events report them.
            """,
        parameters: [ToolParameter("writeKey", "Only events of the source with this write key."), conditions] + range
            + page,
        question: .read("api/drops"))

    private static let rejected = AssistantTool(
        name: "list_rejected", title: "List events that were not taken",
        about: "Lists events that the workspace received and did not store as events, each with the reason.",
        parameters: [ToolParameter("writeKey", "Only events of the source with this write key."), conditions] + range
            + page,
        question: .read("api/rejected"))

    private static let plugin = AssistantTool(
        name: "test_plugin", title: "Test a live plugin on stored events",
        about: """
            Checks a bundle of live plugins (JavaScript) and shows what it does to the newest stored events of a \
            source, in the sandbox of a device. Nothing is deployed. Needs a token of the role deploy.
            """,
        parameters: [
            source,
            ToolParameter("bundle", "The JavaScript of the bundle.", isRequired: true),
            ToolParameter(
                "last", "How many events, at most 5,000; 200 unless given; 0 only checks the bundle.", .integer),
            ToolParameter("type", "Only on events of this type.", choices: types),
            ToolParameter("name", "Only on events of this name."),
        ],
        question: .trial("live-plugins/try", body: "bundle", type: "text/javascript"))

    private static let filter = AssistantTool(
        name: "plan_filter", title: "Plan filter rules",
        about: """
            Shows the effect that destination filter rules would have had on the newest stored events of a source: \
            how many each rule and destination would drop or change, with examples and with problems of the rules. \
            The rules replace all rules of the source in the plan. Nothing is deployed. Needs a token of the role \
            deploy.
            """,
        parameters: [
            source,
            ToolParameter(
                "rules",
                """
                The rules, such as {"destinationName": "Amplitude", "transformers": [[{"type": "drop"}]], \
                "matchers": [{"type": "fql", "ir": "[\\"=\\", \\"event\\", {\\"value\\": \\"Test\\"}]"}]}.
                """, .objects, isRequired: true),
            ToolParameter("last", "How many of the newest events.", .integer),
            ToolParameter("destination", "Only rules of this destination."),
            ToolParameter("type", "Only on events of this type.", choices: types),
            ToolParameter("name", "Only on events of this name."),
        ],
        question: .trial("filters/dry-run", body: "rules", type: "application/json"))

    private static let conditions = ToolParameter(
        "where",
        """
        Conditions that all hold, such as properties.total>10. The path begins at the event: properties.plan, \
        traits.email, context.os.name. Comparisons are = != < <= > >= and ~, which means that a text contains the \
        value; a path alone means that the member exists.
        """, .texts)

    /// How an event of a question about people is named.
    private static let step = """
        The name of an event, or a JSON object such as {"type": "track", "name": "Signed Up", "where": \
        ["properties.plan=pro"]}.
        """

    /// The whole days of a question.
    private static let days = [
        ToolParameter("since", "From the day of this time on; 30 days unless given, at most 366."),
        ToolParameter("until", "Only days that begin before this time; today is the last one unless given."),
    ]

    /// When events were received.
    private static let range = [
        ToolParameter("since", "Only what was received then or later: 2026-11-21T01:00:00Z, or a day."),
        ToolParameter("until", "Only what was received before that time."),
    ]

    /// Which part of a list is wanted.
    private static let page = [
        ToolParameter(
            "limit", "How many, from 1 to 1000; 100 unless given. Events can be long: begin with few.", .integer),
        ToolParameter("order", "By arrival; desc unless `after` is given.", choices: ["asc", "desc"]),
        ToolParameter("before", "Only lower sequences.", .integer),
        ToolParameter("after", "Only higher sequences.", .integer),
    ]
}
