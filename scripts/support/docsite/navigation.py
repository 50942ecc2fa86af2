"""Which documents are pages of the documentation site, in which order, and where they are on the site."""

# The tabs of the site. A list below a name is a group of its sidebar.
NAVIGATION = {
    "Start": [
        "README.md",
        "docs/guides/getting-started.md",
        "docs/guides/installing.md",
        "docs/guides/see-what-happens.md",
        "docs/guides/sending-without-swift.md",
        "docs/guides/web.md",
        "docs/guides/server-apps.md",
        "docs/guides/not-there.md",
        "CHANGELOG.md",
    ],
    "Guides": {
        "An app": [
            "docs/guides/consent.md",
            "docs/guides/lifecycle.md",
            "docs/guides/apple-platforms.md",
            "docs/guides/threads-and-durability.md",
            "docs/guides/writing-plugins.md",
            "docs/guides/device-mode-destinations.md",
            "docs/guides/testing.md",
            "docs/guides/app-review.md",
            "Examples/SwiftUIApp/README.md",
        ],
        "Live plugins and filters": [
            "docs/guides/live-plugins.md",
            "docs/guides/enrichment.md",
            "docs/guides/typescript.md",
            "docs/guides/signals.md",
            "docs/guides/signal-capture.md",
            "docs/guides/destination-filters.md",
        ],
        "Moving here": [
            "docs/guides/migrating-from-analytics-swift.md",
            "docs/guides/migrating-from-analytics-ios.md",
            "docs/guides/living-together.md",
            "Examples/SegmentModule/README.md",
            "Examples/ExampleIntegration/README.md",
        ],
    },
    "Operate": {
        "A workspace": [
            "docs/guides/workspace.md",
            "docs/guides/console.md",
            "docs/guides/assistants.md",
            "docs/OPERATING.md",
            "docs/guides/warehouse.md",
            "docs/guides/destination-functions.md",
            "docs/guides/destination-templates.md",
            "docs/guides/source-functions.md",
            "docs/THREATS.md",
            "docs/guides/another-workspace.md",
            "docs/guides/development-certificate.md",
        ],
        "Several nodes": ["docs/SCALING.md", "deploy/README.md"],
        "Promises": ["docs/DURABILITY.md", "docs/PERFORMANCE.md", "SECURITY.md"],
    },
    "Reference": {
        "The field": ["docs/COMPATIBILITY.md", "docs/COMPATIBILITY-IOS.md", "docs/UNVERIFIED.md"],
    },
    "Decisions": {
        "The project": ["docs/ARCHITECTURE.md", "CONTRIBUTING.md"],
        "Why": ["docs/DECISIONS.md"],
    },
}

# The modules of the reference, in groups of its sidebar.
MODULES = {
    "In an app": ["Tributary", "AnalyticsLive", "TributaryCommerce", "AnalyticsCompat", "TributaryObjC"],
    "Tests and development": ["TributaryTesting", "TributaryInspector", "TributaryPluginTestKit", "TributaryFilterTestKit"],
    "Parts of their own": ["TributaryJSON", "TributaryJournal", "TributaryEncryption", "TributaryFilters", "TributaryScript"],
}

# What the landing page offers: a title, a sentence, and pages.
WAYS = (
    ("Start", "Add the client to an app, or run a workspace.",
     ("docs/guides/getting-started.md", "docs/guides/installing.md", "docs/guides/sending-without-swift.md")),
    ("Build", "Consent, plugins, signals and filters.",
     ("docs/guides/consent.md", "docs/guides/writing-plugins.md", "docs/guides/live-plugins.md")),
    ("Move here", "Keep the code that you have.",
     ("docs/guides/migrating-from-analytics-swift.md", "docs/guides/migrating-from-analytics-ios.md",
      "docs/guides/living-together.md")),
    ("Operate", "Configuration, backups, upgrades, a cluster.",
     ("docs/OPERATING.md", "docs/guides/console.md", "docs/SCALING.md")),
    ("Understand", "How it works, and why it is so.",
     ("docs/ARCHITECTURE.md", "docs/DURABILITY.md", "docs/DECISIONS.md")),
)


def documents(root):
    """The documents of each group, as (tab, group or None, documents)."""
    for tab, content in NAVIGATION.items():
        groups = {None: content} if isinstance(content, list) else content
        for group, listed in groups.items():
            if listed == ["docs/DECISIONS.md"]:
                listed = [*listed, *sorted(str(file.relative_to(root)) for file in root.glob("docs/decisions/*.md"))]
            yield tab, group, listed


def place(document):
    """Where a document is on the site: docs/guides/consent.md becomes guides/consent.md, and deploy/README.md deploy.md."""
    if document == "README.md":
        return "index.md"
    return document.removeprefix("docs/").replace("/README.md", ".md").lower()
