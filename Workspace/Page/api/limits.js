// Bounds and names of the page.

export const Limits = Object.freeze({
  rows: 600, // kept while events stream in
  rowsWithOlder: 5000, // kept after the reader asked for older ones
  page: 200, // asked for at once
  pendingTraces: 1000, // traces that came before their event
  marks: 10, // stages shown in a row of the list
  lanes: 6, // destinations drawn in the picture
  onlyLength: 40, // characters of a name in a chip
  rejected: 50, // shown at once
  clusterLooks: 150, // shown in the chart of what waits: five minutes
  clusterPatience: 15_000, // milliseconds until a cluster that does not answer is taken for one that fails
  freeShare: 0.1, // of the disk that should be free
  auditEntries: 50,
  auditValues: 12, // of one entry that are shown in words
  deadLetters: 200,
  deadLetterEvents: 30, // dead letters of which the events are read
  catalogNames: 100, // shown at first
  catalogMostNames: 500,
  catalogNameLength: 200,
  exploreRows: 50,
  touchedEvents: 200, // newest ones of a name on which plugins and rules are tried
  exploreValues: 50,
  funnelSteps: 8,
  sqlRows: 200, // of an answer that are shown; its file has all
  sqlPoints: 500, // of a chart of an answer
  sqlCell: 300, // characters of a value in the table
  sqlRetries: 6, // of a query right behind one that was cancelled
  sqlPause: 300, // milliseconds between these
  queries: 10, // the last ones, which the browser keeps for a source
  boardRows: 5, // of a question on the board
  boardPause: 5 * 60_000, // milliseconds until the board asks again by itself
  searchTyping: 300, // milliseconds after the last letter of a search by the server
  sharedPause: 2000, // milliseconds until a reader of a link asks again for an answer that is counted, and
  sharedRetry: 30_000, // until a board without an answer is tried again
  exploreLines: 5, // of a chart, besides that of all events
  narrow: 700, // pixels below which the page is as narrow as a phone
  searchPause: 500, // milliseconds between two questions about new events that meet conditions
  partialPause: 500, // milliseconds between two drawings of what was counted so far
  suggestions: 200, // names and properties that are offered
  catalogEvents: 20, // newest ones that values are taken from
  catalogValues: 3, // of a property
  catalogValueLength: 60,
  diffLines: 4000, // lines of a text that are compared
  diffLetters: 400, // letters of a compared line that are shown: one with tables is very long
  trialEvents: [50, 200, 1000, 5000], // on which a bundle is tried
  functionEvents: [20, 100, 200], // on which a destination function is tried
  functionStages: [10, 50, 100], // percent of the users that a destination function goes to, if not to all at once
  typingPause: 600, // milliseconds without a key press before a text is checked
  checkPause: 1000, // milliseconds until a check that failed is made again
  checkRepeats: 5,
  checkedEvents: 500, // the newest events, on which the page tries rules during typing
  devices: 5, // of one person that are followed
  peopleEvents: 300, // in which people seen lately are looked for
  personDrops: 1000, // newest drops in which those of one person are looked for
  traits: 200, // shown of one person
  signals: 1000, // newest ones in which sessions are looked for
  sessionPause: 30 * 60_000, // milliseconds without a signal that end a session
  jsonDepth: 200,
  openDepth: 3, // levels of the JSON tree that start open
  sparkSeconds: 60,
  overscan: 6, // rows drawn above and below those in sight
  freshRate: 20, // events a second above which new rows are not highlighted any more
  progressDelay: 300, // milliseconds of waiting after which the page says that it waits
  slowRequest: 3000, // milliseconds after which the page asks whether the server is there at all
  pulse: 10_000, // milliseconds without an answer after which the page asks
  pulsePatience: 3000, // milliseconds until a server that does not answer is taken for one that is away
  streamSilence: 40_000, // milliseconds without a message after which the stream is opened again; it has one each 15 s
  drafts: 5, // kept in the browser for a source and an editor
  draftPause: 300, // milliseconds without a key press before a draft is kept
  deployEvents: 10_000, // newest ones on which rules are tried before they are deployed
  mostHeldBack: 0.5, // share of events beyond which the name of the destination is typed
  problemRequests: 3, // sources that are looked at at a time
  replayPause: 2000, // milliseconds between two looks at a replay that is under way
  shownRules: 5, // that held events back from a destination
});
export const RetryDelays = [300, 1000, 2000, 4000]; // milliseconds; the last one repeats
export const ClusterInterval = 1500; // milliseconds between an answer about the cluster and the next look
export const DeploymentInterval = 4000; // milliseconds between two looks at what is deployed

export const CloudDestination = 'Segment.io'; // the name of the way to the workspace
export const EventTypes = ['track', 'identify', 'screen', 'page', 'group', 'alias'];
export const RowTypes = [...EventTypes, 'signal'];
export const Outcomes = ['changed', 'dropped', 'failed'];
