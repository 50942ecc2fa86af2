// Bounds and names of the page.

export const Limits = Object.freeze({
  rows: 600, // kept while events stream in
  rowsWithOlder: 5000, // kept after the reader asked for older ones
  page: 200, // asked for at once
  pendingTraces: 1000, // traces that came before their event
  marks: 10, // stages shown in a row of the list
  lanes: 6, // destinations drawn in the picture
  rejected: 50, // shown at once
  auditEntries: 50,
  deadLetters: 200,
  diffLines: 4000, // lines of a text that are compared
  trialEvents: [50, 200, 1000, 5000], // on which a bundle is tried
  jsonDepth: 200,
  openDepth: 3, // levels of the JSON tree that start open
  sparkSeconds: 60,
  overscan: 6, // rows drawn above and below those in sight
  freshRate: 20, // events a second above which new rows are not highlighted any more
});
export const RetryDelays = [300, 1000, 2000, 4000]; // milliseconds; the last one repeats
export const DeploymentInterval = 4000; // milliseconds between two looks at what is deployed

export const CloudDestination = 'Segment.io'; // the name of the way to the workspace
const EventTypes = ['track', 'identify', 'screen', 'page', 'group', 'alias'];
export const RowTypes = [...EventTypes, 'signal'];
export const Outcomes = ['changed', 'dropped', 'failed'];
