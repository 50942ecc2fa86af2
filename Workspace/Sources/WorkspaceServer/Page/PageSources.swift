// Made by scripts/embed-page from Workspace/Page; edit the files there.
// swift-format-ignore-file

/// The files of the page that the workspace serves.
enum PageSources {
    /// The document at the root of the server.
    static let indexHTML = ##"""
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>Tributary workspace</title>
  <link rel="icon" type="image/svg+xml" href="/icon.svg">
  <link rel="stylesheet" href="/style.css">
  <script src="/app.js" type="module"></script>
</head>
<body>
  <a class="skip" href="#events">Skip to the events</a>

  <header class="top">
    <div class="brand">
      <svg class="logo" viewBox="0 0 28 28" width="28" height="28" aria-hidden="true">
        <path class="logo-side" d="M4 3c0 8 10 6 10 14"></path>
        <path class="logo-side" d="M24 3c0 8-10 6-10 14"></path>
        <path class="logo-main" d="M14 3v22"></path>
      </svg>
      <div>
        <h1>Tributary</h1>
        <div class="source">
          <label class="unseen" for="source">Source</label>
          <select id="source"><option value="">All sources</option></select>
        </div>
      </div>
    </div>

    <dl class="counters" aria-label="Counters">
      <div><dt>Stored</dt><dd id="count-stored">–</dd></div>
      <div><dt>Dropped on device</dt><dd id="count-drops">–</dd></div>
      <div><dt>Duplicates</dt><dd id="count-duplicates">–</dd></div>
      <div>
        <dt>Rejected</dt>
        <dd><button id="count-rejected" class="counter" type="button" title="Show the rejected events">–</button></dd>
      </div>
      <div class="latency" title="From the call on the device to the commit in the workspace, events with a trace">
        <dt>Latency median / p99</dt><dd id="latency">–</dd>
      </div>
    </dl>

    <figure class="rate" aria-label="Events a second during the last minute">
      <svg id="sparkline" viewBox="0 0 180 36" width="180" height="36" preserveAspectRatio="none" aria-hidden="true">
        <path class="spark-base" d="M0 35.5H180"></path>
        <path class="spark-stored" id="spark-stored"></path>
        <path class="spark-drops" id="spark-drops"></path>
      </svg>
      <figcaption><span id="rate">0</span><span class="unit">/s</span></figcaption>
    </figure>

    <div class="live">
      <p id="status" class="status" role="status" aria-live="polite" data-state="connecting">
        <span class="lamp" aria-hidden="true"></span><span id="status-text">Connecting</span>
      </p>
      <button id="pause" class="button" type="button" aria-pressed="false" aria-keyshortcuts="Space">Pause</button>
      <form method="post" action="/logout"><button class="link" type="submit">Log out</button></form>
    </div>
  </header>

  <div class="tools" role="toolbar" aria-label="Filter and deployment">
    <div class="search">
      <label class="unseen" for="filter">Filter by name, type, user or plugin</label>
      <input id="filter" type="search" placeholder="Filter by name, type, user, plugin" autocomplete="off"
        spellcheck="false" aria-keyshortcuts="/">
      <kbd aria-hidden="true">/</kbd>
    </div>
    <div id="chips" class="chips" role="group" aria-label="Show only"></div>
    <div class="deployed">
      <button id="bundle" class="link" type="button">no live plugins</button>
      <button id="rules" class="link" type="button">no filter rules</button>
    </div>
  </div>

  <main>
    <section class="list" aria-label="Events">
      <div id="scroll" class="scroll">
        <div id="events" class="grid" role="grid" tabindex="0" aria-label="Events, newest first" aria-rowcount="1">
          <div role="rowgroup" class="head">
            <div class="row" role="row" aria-rowindex="1">
              <div class="cell time" role="columnheader">Time</div>
              <div class="cell type" role="columnheader">Type</div>
              <div class="cell name" role="columnheader">Event</div>
              <div class="cell user" role="columnheader">User</div>
              <div class="cell path" role="columnheader">Path on the device</div>
              <div class="cell latency" role="columnheader">Latency</div>
            </div>
          </div>
          <div id="rows" class="rows" role="rowgroup"></div>
        </div>
        <button id="older" class="button older" type="button" hidden>Show older events</button>
      </div>
      <button id="fresh" class="fresh" type="button" hidden></button>
      <div id="empty" class="empty" hidden></div>
    </section>
    <aside id="panel" class="panel" aria-label="Details" hidden></aside>
  </main>
  <noscript><p class="noscript">This page shows events as they arrive and needs JavaScript for it.</p></noscript>
</body>
</html>

"""##

    /// Its style sheet, served as /style.css.
    static let styleCSS = ##"""
/* The page of the workspace. Colours carry meaning: one for each type of event, and one for each thing that can
   happen to an event on its way (changed, dropped, failed, arrived). Everything else is grey. */

:root {
  color-scheme: light dark;

  --row: 30px;
  --sans: -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Liberation Sans", system-ui, sans-serif;
  --mono: ui-monospace, "SF Mono", Menlo, "Cascadia Mono", Consolas, "DejaVu Sans Mono", monospace;

  --ground: #ffffff;
  --raised: #f6f7f9;
  --sunken: #eef1f4;
  --hover: #f3f5f8;
  --selected: #e4eefb;
  --line: #e2e6eb;
  --line-strong: #c6cdd6;
  --text: #1b232d;
  --soft: #576372;
  --accent: #0f62c0;

  --track: #1d63c6;
  --identify: #7440bd;
  --screen: #0d746b;
  --page: #0b7085;
  --group: #a12f86;
  --alias: #5b6675;

  --changed: #806000;
  --changed-mark: #b98600;
  --changed-ground: #fdf3dc;
  --dropped: #bd2424;
  --dropped-ground: #fdeeee;
  --failed: #c03f06;
  --failed-mark: #e2590f;
  --failed-ground: #fdeee4;
  --arrived: #14783a;
  --arrived-ground: #e6f5ea;
  --flow: #8a96a5;
}

@media (prefers-color-scheme: dark) {
  :root {
    --ground: #10151b;
    --raised: #161c24;
    --sunken: #1b222c;
    --hover: #181f28;
    --selected: #1c2f48;
    --line: #262f3a;
    --line-strong: #3d4856;
    --text: #dde4ec;
    --soft: #95a2b2;
    --accent: #6cb0ff;

    --track: #74aefc;
    --identify: #bb9af2;
    --screen: #4fcbbd;
    --page: #5cc4df;
    --group: #ea8fd3;
    --alias: #a3afbd;

    --changed: #e5bd4f;
    --changed-mark: #e5bd4f;
    --changed-ground: #2c2413;
    --dropped: #ff8078;
    --dropped-ground: #33191b;
    --failed: #ff9e66;
    --failed-mark: #ff8a47;
    --failed-ground: #332015;
    --arrived: #5bcf7d;
    --arrived-ground: #15291c;
    --flow: #6d7a8a;
  }
}

*, ::before, ::after {
  box-sizing: border-box;
}

* {
  scrollbar-color: var(--line-strong) transparent;
  scrollbar-width: thin;
}

[hidden] {
  display: none !important;
}

html {
  height: 100%;
}

body {
  display: grid;
  grid-template: auto auto minmax(0, 1fr) / minmax(0, 1fr);
  height: 100%;
  margin: 0;
  background: var(--ground);
  color: var(--text);
  font: 13px/1.45 var(--sans);
  -webkit-text-size-adjust: 100%;
}

h1, h2, h3, p, dl, dd, figure, ol, ul {
  margin: 0;
  padding: 0;
}

code, pre, kbd {
  font-family: var(--mono);
  font-size: inherit;
}

:focus-visible {
  outline: 2px solid var(--accent);
  outline-offset: 1px;
}

.unseen, .skip:not(:focus) {
  position: absolute;
  width: 1px;
  height: 1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}

.skip {
  position: absolute;
  z-index: 5;
  top: 8px;
  left: 8px;
  padding: 4px 10px;
  border-radius: 6px;
  background: var(--ground);
  color: var(--accent);
}

/* Controls */

.button {
  min-height: 30px;
  padding: 0 12px;
  border: 1px solid var(--line-strong);
  border-radius: 6px;
  background: var(--ground);
  color: var(--text);
  font: 500 12.5px/1 var(--sans);
  white-space: nowrap;
  cursor: pointer;
}

.button:hover {
  border-color: var(--soft);
  background: var(--hover);
}

.button[aria-pressed="true"] {
  border-color: var(--accent);
  background: var(--selected);
  color: var(--accent);
}

.button.small {
  min-height: 24px;
  padding: 0 8px;
  font-size: 11.5px;
}

.link {
  padding: 3px 6px;
  border: 0;
  border-radius: 4px;
  background: none;
  color: var(--soft);
  font: 12px/1.3 var(--sans);
  white-space: nowrap;
  cursor: pointer;
}

.link:hover {
  color: var(--accent);
  text-decoration: underline;
}

.link.news {
  animation: news 4s ease-out;
}

@keyframes news {
  from {
    background: var(--arrived-ground);
    color: var(--arrived);
  }
}

/* Header */

.top {
  display: flex;
  align-items: center;
  gap: 14px 28px;
  min-width: 0;
  padding: 10px 16px;
  border-bottom: 1px solid var(--line);
  background: var(--raised);
}

.brand {
  display: flex;
  align-items: center;
  gap: 10px;
  min-width: 0;
}

.logo {
  flex: none;
  fill: none;
  stroke-width: 2.6;
  stroke-linecap: round;
}

.logo-main {
  stroke: var(--accent);
}

.logo-side {
  stroke: var(--accent);
  opacity: 0.5;
}

h1 {
  font-size: 15px;
  font-weight: 650;
  line-height: 1.2;
  letter-spacing: -0.005em;
}

.source select {
  max-width: 190px;
  margin-left: -4px;
  padding: 0 2px 0 0;
  border: 0;
  border-radius: 4px;
  background: transparent;
  color: var(--soft);
  font: 11.5px/1.4 var(--mono);
  text-overflow: ellipsis;
}

.source option {
  background: var(--ground);
  color: var(--text);
}

.counters {
  display: flex;
  flex: 1;
  gap: 26px;
  min-width: 0;
}

.counters dt {
  color: var(--soft);
  font-size: 11px;
  line-height: 1.3;
  white-space: nowrap;
}

.counters dd {
  font: 500 15px/1.35 var(--mono);
  font-variant-numeric: tabular-nums;
  letter-spacing: -0.02em;
  white-space: nowrap;
}

.counter {
  padding: 0;
  border: 0;
  background: none;
  color: inherit;
  font: inherit;
  letter-spacing: inherit;
  cursor: pointer;
}

.counter:hover {
  text-decoration: underline;
}

#count-drops.some, #count-rejected.some {
  color: var(--dropped);
}

.rate {
  display: flex;
  align-items: flex-end;
  gap: 8px;
}

.rate figcaption {
  min-width: 52px;
  font: 500 15px/1.2 var(--mono);
  font-variant-numeric: tabular-nums;
  letter-spacing: -0.02em;
}

.unit {
  color: var(--soft);
  font-size: 12px;
  font-weight: 400;
}

#sparkline {
  display: block;
  overflow: visible;
}

.spark-base {
  fill: none;
  stroke: var(--line-strong);
}

.spark-stored {
  fill: var(--accent);
}

.spark-drops {
  fill: var(--dropped);
}

.live {
  display: flex;
  align-items: center;
  gap: 14px;
}

.live .button {
  min-width: 76px;
  font-variant-numeric: tabular-nums;
}

.status {
  display: flex;
  align-items: center;
  gap: 7px;
  font-size: 12.5px;
}

.lamp {
  flex: none;
  width: 8px;
  height: 8px;
  border-radius: 50%;
  background: var(--flow);
}

.status[data-state="live"] .lamp {
  background: var(--arrived);
  box-shadow: 0 0 0 3px var(--arrived-ground);
}

.status[data-state="paused"] .lamp {
  border-radius: 1px;
  background: var(--accent);
}

.status[data-state="lost"] {
  color: var(--dropped);
}

.status[data-state="lost"] .lamp {
  background: var(--dropped);
  animation: blink 1.2s ease-in-out infinite alternate;
}

@keyframes blink {
  to {
    opacity: 0.25;
  }
}

/* Filter */

.tools {
  display: flex;
  align-items: center;
  gap: 8px 14px;
  min-width: 0;
  padding: 8px 16px;
  border-bottom: 1px solid var(--line);
}

.search {
  position: relative;
  flex: 0 1 290px;
}

.search input {
  width: 100%;
  height: 30px;
  padding: 0 30px 0 10px;
  border: 1px solid var(--line-strong);
  border-radius: 6px;
  background: var(--ground);
  color: var(--text);
  font: 13px/1 var(--sans);
  appearance: none;
}

.search input::placeholder {
  color: var(--soft);
  opacity: 1;
}

.search input:focus {
  border-color: var(--accent);
  outline: 1px solid var(--accent);
  outline-offset: 0;
}

.search kbd {
  position: absolute;
  top: 6px;
  right: 7px;
  padding: 0 5px;
  border: 1px solid var(--line);
  border-radius: 4px;
  color: var(--soft);
  font-size: 11px;
  line-height: 16px;
  pointer-events: none;
}

.search input:focus + kbd {
  visibility: hidden;
}

.chips {
  display: flex;
  flex: 1;
  align-items: center;
  gap: 4px;
  min-width: 0;
}

.chip {
  display: inline-flex;
  align-items: center;
  gap: 6px;
  height: 26px;
  padding: 0 9px;
  border: 1px solid transparent;
  border-radius: 13px;
  background: none;
  color: var(--soft);
  font: 12px/1 var(--sans);
  white-space: nowrap;
  cursor: pointer;
}

.chip::before {
  width: 7px;
  height: 7px;
  border-radius: 50%;
  background: var(--mark, var(--kind));
  content: "";
}

.chip[data-outcome]::before {
  border-radius: 1px;
}

.chip:hover {
  background: var(--sunken);
  color: var(--text);
}

.chip[aria-pressed="true"] {
  border-color: var(--kind, var(--flow));
  color: var(--text);
}

.divider {
  width: 1px;
  height: 16px;
  margin: 0 6px;
  background: var(--line-strong);
}

.deployed {
  display: flex;
  gap: 4px;
}

/* One colour for a type, one for an outcome */

[data-type] { --kind: var(--alias); }
[data-type="signal"] { --kind: var(--flow); }
[data-type="track"] { --kind: var(--track); }
[data-type="identify"] { --kind: var(--identify); }
[data-type="screen"] { --kind: var(--screen); }
[data-type="page"] { --kind: var(--page); }
[data-type="group"] { --kind: var(--group); }

[data-outcome] { --kind: var(--flow); --kind-ground: var(--sunken); --mark: var(--kind); }
[data-outcome="changed"] {
  --kind: var(--changed);
  --kind-ground: var(--changed-ground);
  --mark: var(--changed-mark);
}
[data-outcome="dropped"] { --kind: var(--dropped); --kind-ground: var(--dropped-ground); }
[data-outcome="failed"] { --kind: var(--failed); --kind-ground: var(--failed-ground); --mark: var(--failed-mark); }
[data-outcome="delivered"], [data-outcome="stored"] { --kind: var(--arrived); --kind-ground: var(--arrived-ground); }
[data-outcome="tracked"] { --kind: var(--accent); --kind-ground: var(--selected); }

/* List */

main {
  display: flex;
  min-height: 0;
}

.list {
  position: relative;
  flex: 1;
  min-width: 0;
}

.scroll {
  height: 100%;
  overflow: hidden auto;
  overscroll-behavior: contain;
}

.grid {
  min-height: 1px;
}

.grid:focus-visible {
  outline: none;
}

.head {
  position: sticky;
  z-index: 2;
  top: 0;
  border-bottom: 1px solid var(--line);
  background: var(--ground);
  color: var(--soft);
  font-size: 11px;
}

.head .row {
  height: 26px;
}

.rows {
  position: relative;
  contain: strict;
}

.row {
  display: grid;
  grid-template-columns: 96px 76px minmax(140px, 1.3fr) minmax(90px, 0.8fr) minmax(150px, 1.1fr) 74px;
  align-items: center;
  gap: 0 14px;
  padding: 0 16px;
}

.item {
  position: absolute;
  top: 0;
  right: 0;
  left: 0;
  height: var(--row);
  border-bottom: 1px solid var(--line);
  contain: layout style paint;
  cursor: default;
}

.item:hover {
  background: var(--hover);
}

.item[aria-selected="true"] {
  background: var(--selected);
  box-shadow: inset 3px 0 0 var(--accent);
}

.grid:focus-visible .item[aria-selected="true"] {
  outline: 2px solid var(--accent);
  outline-offset: -2px;
}

.fresh-row {
  animation: arrive 1.4s ease-out;
}

@keyframes arrive {
  from {
    background: var(--arrived-ground);
  }
}

.cell {
  overflow: hidden;
  min-width: 0;
  text-overflow: ellipsis;
  white-space: nowrap;
}

.item .time, .item .user, .item .latency {
  color: var(--soft);
  font: 12px/1.4 var(--mono);
  font-variant-numeric: tabular-nums;
}

.cell.latency {
  text-align: right;
}

.item .name {
  font-weight: 500;
}

.item .name.hint {
  color: var(--soft);
  font-weight: 400;
}

.item[data-kind="drop"] .name {
  color: var(--soft);
  text-decoration: line-through;
  text-decoration-color: var(--dropped);
}

.item .anonymous {
  font-style: italic;
}

.label {
  color: var(--kind);
  font: 500 12px/1.3 var(--mono);
}

.item .path {
  display: flex;
  align-items: center;
  gap: 8px;
}

.marks {
  display: inline-flex;
  flex: none;
  align-items: center;
  gap: 4px;
}

.mark {
  width: 7px;
  height: 7px;
  border: 1.5px solid var(--mark);
  border-radius: 50%;
}

.mark[data-outcome="changed"], .mark[data-outcome="dropped"], .mark[data-outcome="failed"],
.mark[data-outcome="delivered"] {
  background: var(--mark);
}

.mark[data-outcome="dropped"], .mark[data-outcome="failed"] {
  border-radius: 1px;
}

.more {
  color: var(--soft);
  font-size: 11px;
}

.verdict {
  overflow: hidden;
  color: var(--kind);
  font-size: 12px;
  text-overflow: ellipsis;
}

.verdict[data-outcome="unknown"] {
  color: var(--soft);
}

.older {
  display: block;
  margin: 14px auto 18px;
}

.fresh {
  position: absolute;
  z-index: 3;
  top: 36px;
  left: 50%;
  padding: 6px 14px;
  border: 0;
  border-radius: 15px;
  background: var(--accent);
  box-shadow: 0 2px 8px rgb(0 0 0 / 22%);
  color: var(--ground);
  font: 500 12.5px/1.3 var(--sans);
  font-variant-numeric: tabular-nums;
  transform: translateX(-50%);
  cursor: pointer;
}

/* Nothing to show */

.empty {
  position: absolute;
  top: 27px;
  right: 0;
  bottom: 0;
  left: 0;
  overflow: auto;
  padding: 48px 24px 24px;
}

.empty > * {
  max-width: 640px;
  margin-right: auto;
  margin-left: auto;
}

.choices {
  display: flex;
  gap: 8px;
}

.empty h2 {
  margin-bottom: 4px;
  font-size: 18px;
  font-weight: 600;
}

.empty p {
  margin-bottom: 20px;
  color: var(--soft);
}

.empty section {
  margin-bottom: 20px;
}

.section-head {
  display: flex;
  align-items: center;
  justify-content: space-between;
  gap: 12px;
  min-height: 26px;
  margin-bottom: 6px;
}

h3 {
  color: var(--soft);
  font-size: 11.5px;
  font-weight: 600;
}

.code, .raw {
  overflow: auto;
  margin: 0;
  padding: 12px 14px;
  border: 1px solid var(--line);
  border-radius: 6px;
  background: var(--raised);
  font-size: 12px;
  line-height: 1.55;
}

.raw {
  white-space: pre-wrap;
  overflow-wrap: anywhere;
}

/* Panel */

.panel {
  display: flex;
  flex: 0 0 min(580px, 46vw);
  flex-direction: column;
  min-width: 0;
  border-left: 1px solid var(--line);
  background: var(--ground);
}

.panel-head {
  display: flex;
  align-items: flex-start;
  justify-content: space-between;
  gap: 12px;
  padding: 12px 16px 10px;
  border-bottom: 1px solid var(--line);
}

.panel-head > div {
  min-width: 0;
}

h2 {
  font-size: 15px;
  font-weight: 600;
  line-height: 1.35;
  overflow-wrap: anywhere;
}

h2 .label {
  font-size: 13px;
}

.identity {
  display: flex;
  flex-wrap: wrap;
  gap: 0 14px;
  color: var(--soft);
  font: 11.5px/1.5 var(--mono);
  overflow-wrap: anywhere;
}

.panel-body {
  flex: 1;
  overflow: hidden auto;
  padding: 4px 16px 24px;
  overscroll-behavior: contain;
}

.panel-body:focus-visible {
  outline-offset: -2px;
}

.panel section {
  padding: 10px 0 16px;
}

.panel section + section {
  border-top: 1px solid var(--line);
}

.note {
  color: var(--soft);
}

.rules-input {
  box-sizing: border-box;
  width: 100%;
  padding: 10px 12px;
  border: 1px solid var(--line-strong);
  border-radius: 6px;
  background: var(--raised);
  color: var(--text);
  font: 12px/1.55 var(--mono);
  resize: vertical;
}

.trial > * {
  margin: 8px 0;
}

.trial .note {
  white-space: pre-wrap;
}

.example summary {
  cursor: pointer;
}

.note[data-outcome] {
  margin-bottom: 8px;
  padding: 6px 10px;
  border-radius: 6px;
  background: var(--kind-ground);
  color: var(--kind);
}

/* Picture of the path */

.picture {
  display: block;
  max-width: 100%;
  margin: 2px 0 6px;
  overflow: visible;
  font-family: var(--sans);
}

.picture text {
  fill: var(--soft);
  font-size: 10.5px;
  text-anchor: middle;
}

.picture .caption {
  font-family: var(--mono);
  font-size: 10px;
}

.picture .lane {
  fill: var(--text);
}

.picture .line {
  fill: none;
  stroke: var(--flow);
  stroke-width: 1.75;
}

.picture .ghost {
  stroke: var(--line-strong);
  stroke-dasharray: 2 4;
}

.node .disc {
  fill: var(--mark);
  stroke: var(--ground);
  stroke-width: 2.5;
}

.node .sign {
  fill: none;
  stroke: var(--ground);
  stroke-width: 1.8;
  stroke-linecap: round;
  stroke-linejoin: round;
}

.node[data-outcome="empty"] .disc {
  fill: var(--ground);
  stroke: var(--line-strong);
  stroke-width: 1.5;
}

/* Steps */

.steps {
  margin-top: 8px;
  list-style: none;
}

.step {
  position: relative;
  padding: 3px 0 3px 22px;
}

.step::before {
  position: absolute;
  top: 9px;
  left: 3px;
  width: 9px;
  height: 9px;
  border-radius: 50%;
  background: var(--mark);
  content: "";
}

.step[data-outcome="dropped"]::before, .step[data-outcome="failed"]::before {
  border-radius: 2px;
}

.step[data-outcome="unchanged"]::before {
  border: 1.5px solid var(--mark);
  background: var(--ground);
}

.step::after {
  position: absolute;
  top: 21px;
  bottom: -6px;
  left: 7px;
  width: 1px;
  background: var(--line-strong);
  content: "";
}

.step:last-child::after {
  content: none;
}

.step-line {
  display: grid;
  grid-template-columns: minmax(126px, auto) 1fr auto;
  align-items: baseline;
  gap: 10px;
}

.stage {
  color: var(--soft);
  font-size: 12px;
}

.plugin {
  min-width: 0;
  font: 12.5px/1.45 var(--mono);
  overflow-wrap: anywhere;
}

.plugin small {
  white-space: nowrap;
  margin-left: 8px;
  padding: 0 5px;
  border: 1px solid var(--line-strong);
  border-radius: 4px;
  color: var(--soft);
  font-size: 10.5px;
}

.outcome {
  color: var(--kind);
  font-size: 12px;
  font-weight: 500;
}

.step[data-outcome="unchanged"] .outcome {
  color: var(--soft);
  font-weight: 400;
}

.when {
  color: var(--soft);
  font: 12px/1.4 var(--mono);
}

.reason {
  margin: 2px 0 4px;
  color: var(--kind);
  overflow-wrap: anywhere;
}

.step[data-outcome="unchanged"] .reason, .step[data-outcome="delivered"] .reason {
  color: var(--soft);
}

.changes {
  margin: 4px 0 6px;
  border: 1px solid var(--line);
  border-radius: 6px;
  list-style: none;
  overflow: hidden;
}

.changes li + li {
  border-top: 1px solid var(--line);
}

.change-path {
  padding: 3px 10px;
  background: var(--raised);
  color: var(--soft);
  font-size: 11.5px;
}

.change-path code {
  color: var(--text);
}

.before, .after {
  display: flex;
  gap: 8px;
  padding: 2px 10px;
  font: 12px/1.5 var(--mono);
}

.before {
  background: var(--dropped-ground);
}

.after {
  background: var(--arrived-ground);
}

.before .sign {
  color: var(--dropped);
}

.after .sign {
  color: var(--arrived);
}

.before code, .after code {
  min-width: 0;
  overflow-wrap: anywhere;
  white-space: pre-wrap;
}

.rejection {
  padding: 8px 0 14px;
}

.rejection + .rejection {
  border-top: 1px solid var(--line);
}

.rejection .reason {
  color: var(--dropped);
}

/* Tables */

table {
  width: 100%;
  border-collapse: collapse;
}

.times th, .times td, .versions th, .versions td {
  padding: 3px 12px 3px 0;
  font-weight: 400;
  text-align: left;
  white-space: nowrap;
}

.times th, .versions th {
  color: var(--soft);
}

.times td, .versions td {
  font: 12px/1.5 var(--mono);
  font-variant-numeric: tabular-nums;
}

.times td:last-child {
  padding-right: 0;
  text-align: right;
}

.times td.problem {
  color: var(--failed);
  font-family: var(--sans);
  text-align: left;
  white-space: normal;
}

.times .sum th, .times .sum td {
  border-top: 1px solid var(--line);
  color: var(--text);
  font-weight: 500;
}

.versions th {
  font-size: 11px;
}

.versions td {
  border-top: 1px solid var(--line);
}

.versions [data-current="true"] td {
  background: var(--arrived-ground);
}

.versions td:first-child, .versions th:first-child {
  padding-left: 8px;
}

/* JSON */

.json {
  overflow: hidden;
  padding: 10px 12px;
  border: 1px solid var(--line);
  border-radius: 6px;
  background: var(--raised);
  font: 12px/1.6 var(--mono);
  overflow-wrap: anywhere;
}

.json-body {
  margin-left: 4px;
  padding-left: 14px;
  border-left: 1px solid var(--line);
}

.json summary {
  position: relative;
  margin-left: -2px;
  padding-left: 2px;
  border-radius: 3px;
  list-style: none;
  cursor: pointer;
}

.json summary::-webkit-details-marker {
  display: none;
}

.json summary:hover {
  background: var(--sunken);
}

.json details[open] > summary .folded {
  display: none;
}

.json .folded {
  color: var(--soft);
}

.json .key {
  color: var(--text);
  font-weight: 500;
}

.json .string {
  color: var(--screen);
}

.json .number {
  color: var(--track);
}

.json .literal {
  color: var(--identify);
}

.noscript {
  padding: 40px 16px;
}

/* Less room */

@media (max-width: 1240px) {
  .top {
    flex-wrap: wrap;
  }

  .counters {
    order: 5;
    flex: 1 0 100%;
  }

  .rate {
    margin-left: auto;
  }

  .tools {
    flex-wrap: wrap;
  }

  .search {
    flex: 1 1 220px;
  }

  .deployed {
    margin-left: auto;
  }

  .chips {
    order: 5;
    flex: 1 0 100%;
    overflow-x: auto;
    scrollbar-width: none;
  }
}

.with-panel .row {
  grid-template-columns: 96px 76px minmax(120px, 1fr) minmax(110px, 0.7fr);
}

.with-panel .cell.user, .with-panel .cell.latency {
  display: none;
}

@media (max-width: 1240px) {
  .with-panel .row {
    grid-template-columns: 96px 70px minmax(110px, 1fr) minmax(110px, 1fr);
    gap: 0 10px;
  }

  .with-panel .verdict {
    order: -1;
  }

  .with-panel .marks:not(:only-child) {
    display: none;
  }
}

@media (max-width: 900px) {
  .panel {
    position: fixed;
    z-index: 4;
    inset: 0;
    flex-basis: auto;
    border: 0;
  }
}

@media (max-width: 700px) {
  :root {
    --row: 70px;
  }

  .top, .tools {
    padding-right: 12px;
    padding-left: 12px;
  }

  .counters {
    display: grid;
    grid-template-columns: repeat(3, auto);
    justify-content: space-between;
    gap: 6px 12px;
  }

  .counters .latency {
    grid-column: span 2;
  }

  .chips {
    flex-wrap: wrap;
  }

  .times th, .times td {
    padding-right: 6px;
  }

  .rate {
    display: none;
  }

  .live {
    margin-left: auto;
  }

  .search {
    flex-basis: 100%;
  }

  .deployed {
    margin-left: -6px;
  }

  .step-line {
    grid-template-columns: 1fr auto;
    gap: 0 10px;
  }

  .step-line .stage {
    grid-column: 1 / -1;
  }

  .mile .stage {
    grid-column: 1;
  }

  .mile .plugin {
    display: none;
  }

  .head {
    display: none;
  }

  .empty {
    top: 0;
    padding: 24px 12px;
  }

  .row, .with-panel .row {
    grid-template: "name name time" auto "type user latency" auto "path path path" auto / auto minmax(0, 1fr) auto;
    align-content: center;
    gap: 2px 10px;
    padding: 0 12px;
  }

  .row .name { grid-area: name; }
  .row .time { grid-area: time; }
  .row .type { grid-area: type; }
  .row .path { grid-area: path; }
  .row .latency { grid-area: latency; }
  .row .user { grid-area: user; }
  .row .cell.user, .with-panel .row .cell.user { display: block; }
}

@media (prefers-reduced-motion: reduce) {
  * {
    animation: none !important;
  }
}

/* Logging in */

.door {
  grid-template: minmax(0, 1fr) / minmax(0, 1fr);
  place-items: center;
  padding: 24px;
  overflow: auto;
}

.login {
  display: block;
  width: min(360px, 100%);
}

.login h1 {
  font-size: 20px;
}

.login form {
  display: grid;
  grid-template-columns: minmax(0, 1fr);
  gap: 8px;
  margin: 20px 0 16px;
}

.login label {
  color: var(--soft);
}

.login input {
  min-height: 36px;
  padding: 0 10px;
  border: 1px solid var(--line-strong);
  border-radius: 6px;
  background: var(--ground);
  color: var(--text);
  font: 13px var(--mono);
}

.login .problem {
  min-height: 1.4em;
  margin: 0;
  color: var(--failed);
}

.login .help {
  color: var(--soft);
  line-height: 1.5;
}

"""##

    /// Its program, served as /app.js.
    static let appJS = ##"""
// The page of the workspace: events as they arrive, what happened to each of them on its way, and nothing else.
//
//   stream ─▶ Feed (bounded, newest first) ─▶ Filter ─▶ EventList (only the rows in sight are in the document)
//                                                        └─▶ Panel (path, steps, times, JSON of one event)
//
// Everything that comes out of an event is written with textContent; no string ever becomes markup.

const Limits = Object.freeze({
  rows: 600, // kept while events stream in
  rowsWithOlder: 5000, // kept after the reader asked for older ones
  page: 200, // asked for at once
  pendingTraces: 1000, // traces that came before their event
  marks: 10, // stages shown in a row of the list
  lanes: 6, // destinations drawn in the picture
  rejected: 50, // shown at once
  jsonDepth: 200,
  openDepth: 3, // levels of the JSON tree that start open
  sparkSeconds: 60,
  overscan: 6, // rows drawn above and below those in sight
  freshRate: 20, // events a second above which new rows are not highlighted any more
});
const RetryDelays = [300, 1000, 2000, 4000]; // milliseconds; the last one repeats
const DeploymentInterval = 4000; // milliseconds between two looks at what is deployed

const CloudDestination = 'Segment.io'; // the name of the way to the workspace
const EventTypes = ['track', 'identify', 'screen', 'page', 'group', 'alias'];
const RowTypes = [...EventTypes, 'signal'];
const Outcomes = ['changed', 'dropped', 'failed'];

// ---------------------------------------------------------------------------------------------------------------
// JSON that keeps what it was given

/// A parser whose tree keeps the spelling of numbers and the order of members, which JSON.parse loses.
/// A node is {kind, start, end} with `entries` (object), `items` (array), `value` (string) or `text` (the rest).
class ExactJSON {
  static parse(text) {
    const reader = new ExactJSON(text);
    const node = reader.value(0);
    reader.space();
    if (reader.at < text.length) throw reader.unexpected();
    return node;
  }

  constructor(text) {
    this.text = text;
    this.at = 0;
  }

  unexpected() {
    return new SyntaxError(`unexpected text at ${this.at}`);
  }

  space() {
    while (' \t\n\r'.includes(this.text[this.at] || 'x')) this.at += 1;
  }

  take(character) {
    this.space();
    if (this.text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  expect(character) {
    if (!this.take(character)) throw this.unexpected();
  }

  match(pattern) {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (!found) throw this.unexpected();
    this.at = pattern.lastIndex;
    return found[0];
  }

  value(depth) {
    if (depth > Limits.jsonDepth) throw new SyntaxError(`deeper than ${Limits.jsonDepth} levels`);
    this.space();
    const start = this.at;
    const node = this.content(depth);
    node.start = start;
    node.end = this.at;
    return node;
  }

  content(depth) {
    switch (this.text[this.at]) {
      case '{': return { kind: 'object', entries: this.entries(depth) };
      case '[': return { kind: 'array', items: this.items(depth) };
      case '"': return { kind: 'string', value: this.string() };
      case 't': case 'f': case 'n': return { kind: 'literal', text: this.match(/true|false|null/y) };
      default: return { kind: 'number', text: this.match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y) };
    }
  }

  entries(depth) {
    const entries = [];
    this.expect('{');
    if (this.take('}')) return entries;
    do {
      this.space();
      const key = this.string();
      this.expect(':');
      entries.push([key, this.value(depth + 1)]);
    } while (this.take(','));
    this.expect('}');
    return entries;
  }

  items(depth) {
    const items = [];
    this.expect('[');
    if (this.take(']')) return items;
    do items.push(this.value(depth + 1)); while (this.take(','));
    this.expect(']');
    return items;
  }

  string() {
    return JSON.parse(this.match(/"(?:[^"\\]|\\.)*"/y));
  }
}

/// The member of an object node that a path of keys leads to.
function member(node, ...path) {
  let found = node;
  for (const key of path) {
    found = found?.kind === 'object' ? found.entries.find((entry) => entry[0] === key)?.[1] : undefined;
  }
  return found;
}

/// The text of a string node; undefined for everything else.
function textOf(node) {
  return node?.kind === 'string' ? node.value : undefined;
}

/// The JSON text of a node, indented by two spaces a level.
function pretty(node, indent = '') {
  const deeper = `${indent}  `;
  const wrap = (open, parts, close) => (parts.length
    ? `${open}\n${parts.map((part) => deeper + part).join(',\n')}\n${indent}${close}`
    : open + close);
  switch (node.kind) {
    case 'object':
      return wrap('{', node.entries.map(([key, child]) => `${JSON.stringify(key)}: ${pretty(child, deeper)}`), '}');
    case 'array': return wrap('[', node.items.map((child) => pretty(child, deeper)), ']');
    default: return scalar(node);
  }
}

/// The JSON text of a node in one line.
function compact(node) {
  switch (node.kind) {
    case 'object':
      return `{${node.entries.map(([key, child]) => `${JSON.stringify(key)}: ${compact(child)}`).join(', ')}}`;
    case 'array': return `[${node.items.map(compact).join(', ')}]`;
    default: return scalar(node);
  }
}

function scalar(node) {
  return node.kind === 'string' ? JSON.stringify(node.value) : node.text;
}

// ---------------------------------------------------------------------------------------------------------------
// Text of numbers and times

const numberFormat = new Intl.NumberFormat('en');

function count(value) {
  return Number.isFinite(value) ? numberFormat.format(value) : '–';
}

function plural(number, noun) {
  return `${count(number)} ${noun}${number === 1 ? '' : 's'}`;
}

function padded(value, length = 2) {
  return String(value).padStart(length, '0');
}

/// Time of day in the reader's time zone, with milliseconds.
function clock(milliseconds) {
  if (!Number.isFinite(milliseconds)) return '–';
  const date = new Date(milliseconds);
  return `${padded(date.getHours())}:${padded(date.getMinutes())}:${padded(date.getSeconds())}`
    + `.${padded(date.getMilliseconds(), 3)}`;
}

/// A span of time with three significant figures at most.
function span(milliseconds) {
  if (!Number.isFinite(milliseconds)) return '–';
  const sign = milliseconds < 0 ? '−' : '';
  const size = Math.abs(milliseconds);
  const figures = (value) => String(Number(value.toPrecision(value < 100 ? 2 : 3)));
  if (size < 1000) return `${sign}${size < 10 ? figures(size) : Math.round(size)} ms`;
  if (size < 60_000) return `${sign}${figures(size / 1000)} s`;
  if (size < 3_600_000) return `${sign}${figures(size / 60_000)} min`;
  if (size < 172_800_000) return `${sign}${figures(size / 3_600_000)} h`;
  return `${sign}${Math.round(size / 86_400_000)} days`;
}

/// From the call on the device to the database. A device's clock that is ahead of the workspace's makes it unknown.
function latencyOf(trackedAt, storedAt) {
  return storedAt >= trackedAt ? storedAt - trackedAt : NaN;
}

function instant(text) {
  return typeof text === 'string' ? Date.parse(text) : NaN;
}

/// What a member that should be a string can be shown as.
function textual(value) {
  return value === undefined || value === null ? '' : String(value);
}

function shortened(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

// ---------------------------------------------------------------------------------------------------------------
// Elements

/// Makes an element; strings among the children become text.
function element(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

function drawing(tag, attributes = {}, ...children) {
  return filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function filled(target, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === 'function') target.addEventListener(name, value);
    else target.setAttribute(name, value === true ? '' : value);
  }
  target.append(...children.filter((child) => child !== undefined && child !== null));
  return target;
}

const byId = (id) => document.getElementById(id);

/// Puts text on the clipboard; where the page has no right to it (plain HTTP from another machine), by a selection.
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const area = element('textarea', { class: 'unseen', readonly: true });
  area.value = text;
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (!done) throw new Error('the browser refused');
  return undefined;
}

function copyButton(text, label = 'Copy') {
  const button = element('button', { class: 'button small', type: 'button' }, label);
  button.addEventListener('click', async () => {
    try {
      await copy(text());
      button.textContent = 'Copied';
    } catch {
      button.textContent = 'Not copied';
    }
    setTimeout(() => { button.textContent = label; }, 1500);
  });
  return button;
}

// ---------------------------------------------------------------------------------------------------------------
// Events

/// One row: an event that is stored, one that was dropped on the device, or a signal.
class Item {
  /// The workspace's record of an event; `raw` is its JSON text.
  static stored(record, raw) {
    const item = new Item(record);
    item.readStored(record, raw);
    return item;
  }

  /// A trace of an event that never left the device.
  static dropped(trace, raw) {
    const item = new Item(trace);
    item.kind = 'drop';
    item.name = textual(trace.event);
    item.time = instant(trace.receivedAt || trace.trackedAt);
    item.sequence = trace.sequence;
    item.attach(trace, raw);
    item.index();
    return item;
  }

  /// Something small that happened on a device, and that no event was made of yet.
  static signal(record, raw) {
    const signal = record.signal && typeof record.signal === 'object' ? record.signal : {};
    const item = new Item({ ...record, type: 'signal', anonymousId: signal.anonymousId, messageId: signal.index });
    item.kind = 'signal';
    item.raw = raw;
    item.key = Item.key(record);
    item.sequence = record.sequence;
    item.name = [textual(signal.type), Item.subject(signal.data)].filter(Boolean).join(' · ');
    item.time = instant(record.receivedAt);
    item.index();
    return item;
  }

  /// What a signal is about, in its own words.
  static subject(data) {
    if (!data || typeof data !== 'object') return '';
    const target = data.target && typeof data.target === 'object' ? data.target : data;
    const names = [target.title, target.component, data.currentScreen, data.screen, data.url, data.identifier,
      data.rawEvent?.event, data.rawEvent?.name, data.action];
    return textual(names.find((name) => typeof name === 'string' && name)) || '';
  }

  static key(record) {
    if (record.signal) return `signal\n${record.sequence}`;
    return `${record.writeKey || ''}\n${record.messageId}`;
  }

  constructor(record) {
    this.key = Item.key(record);
    this.messageId = String(record.messageId || '');
    this.writeKey = record.writeKey;
    this.type = String(record.type || 'event');
    this.userId = textual(record.userId);
    this.anonymousId = textual(record.anonymousId);
    this.hint = '';
    this.revision = 0; // grows when something about it changes, so that its row is drawn again
    this.fresh = false;
    this.stages = [];
    this.latency = NaN;
    this.timeProblem = '';
    this.library = '';
  }

  readStored(record, raw) {
    this.kind = 'event';
    this.raw = raw;
    this.sequence = record.sequence;
    this.name = textual(record.name);
    this.hint = this.name ? '' : Item.hint(record);
    this.time = instant(record.storedAt || record.receivedAt);
    this.latency = latencyOf(instant(record.trackedAt), instant(record.storedAt));
    this.timeProblem = textual(record.timeProblem);
    this.library = Item.library(record);
    this.madeOf = record.event?.context?.__eventOrigin?.signal;
    if (Array.isArray(record.stages)) this.attach(record);
    this.revision += 1;
    this.index();
  }

  /// What the client calls itself.
  static library(record) {
    const { name, version } = record.event?.context?.library || {};
    return typeof name === 'string' ? [name, textual(version)].filter(Boolean).join(' ') : '';
  }

  /// What stands in the place of the name of an event that has none.
  static hint(record) {
    const event = record.event && typeof record.event === 'object' ? record.event : {};
    if (record.type === 'group') return event.groupId ? `group ${event.groupId}` : '';
    if (record.type === 'alias') return event.previousId ? `was ${event.previousId}` : '';
    const traits = event.traits && typeof event.traits === 'object' ? Object.keys(event.traits) : [];
    return traits.length ? `traits: ${traits.slice(0, 8).join(', ')}` : '';
  }

  /// Adds what the device told of the event's path.
  attach(trace, raw) {
    if (raw) this.traceRaw = raw;
    this.stages = (Array.isArray(trace.stages) ? trace.stages : []).filter((stage) => stage);
    this.droppedBy = trace.outcome === 'dropped' ? trace.droppedBy || {} : undefined;
    const trackedAt = instant(trace.trackedAt);
    if (this.kind === 'event' && Number.isFinite(trackedAt)) this.latency = latencyOf(trackedAt, this.time);
    this.revision += 1;
    this.index();
  }

  index() {
    const plugins = this.stages.filter((stage) => stage.outcome !== 'unchanged').map((stage) => stage.plugin);
    this.haystack = [this.type, this.name, this.userId, this.anonymousId, this.messageId, this.droppedBy?.plugin,
      ...plugins].join('\n').toLowerCase();
  }

  has(outcome) {
    return this.with(outcome).length > 0 || (outcome === 'dropped' && this.kind === 'drop');
  }

  /// The stages with an outcome, but for what the client itself does to every event: that is no news.
  with(outcome) {
    return this.stages.filter((stage) => stage.outcome === outcome && !(outcome === 'changed' && stage.builtIn));
  }

  get user() {
    return this.userId || this.anonymousId;
  }
}

/// Which items the reader wants to see.
class Filter {
  terms = [];
  types = new Set();
  outcomes = new Set();
  writeKey = '';

  set text(text) {
    this.terms = text.toLowerCase().split(/\s+/).filter(Boolean);
  }

  get active() {
    return this.terms.length + this.types.size + this.outcomes.size > 0;
  }

  clear() {
    this.terms = [];
    this.types.clear();
    this.outcomes.clear();
  }

  matches(item) {
    if (this.writeKey && item.writeKey && item.writeKey !== this.writeKey) return false;
    if (this.types.size && !this.types.has(item.type)) return false;
    if (this.outcomes.size && ![...this.outcomes].some((outcome) => item.has(outcome))) return false;
    return this.terms.every((term) => item.haystack.includes(term));
  }
}

/// The newest events, newest first, each once and never more than a bound.
class Feed {
  items = [];
  waiting = []; // arrived but not shown yet, oldest first
  known = new Map();
  pendingTraces = new Map();
  limit = Limits.rows;
  missed = 0; // waiting ones that had to give way to newer ones

  /// Takes an event that the workspace stored; returns its new item, nothing when it is known already.
  stored(record, raw) {
    const key = Item.key(record);
    const old = this.known.get(key);
    if (old) {
      // A list may know more than the stream told before it was interrupted.
      const knowsMore = Array.isArray(record.stages) && !old.stages.length;
      if (old.kind === 'drop' || knowsMore) old.readStored(record, raw);
      return undefined;
    }
    const item = Item.stored(record, raw);
    const trace = this.pendingTraces.get(key);
    if (trace) item.attach(trace.record, trace.raw);
    this.pendingTraces.delete(key);
    return this.wait(item);
  }

  /// Takes what a device told of an event: that it was dropped, or more about one that is or will be here.
  trace(record, raw) {
    const key = Item.key(record);
    const old = this.known.get(key);
    if (old) {
      old.attach(record, raw);
      return undefined;
    }
    if (record.outcome === 'dropped') return this.wait(Item.dropped(record, raw));
    this.pendingTraces.set(key, { record, raw });
    if (this.pendingTraces.size > Limits.pendingTraces) {
      this.pendingTraces.delete(this.pendingTraces.keys().next().value);
    }
    return undefined;
  }

  /// Takes a signal.
  signal(record, raw) {
    return this.known.has(Item.key(record)) ? undefined : this.wait(Item.signal(record, raw));
  }

  /// Takes entries that were read from a list, oldest first, into the waiting ones at a place.
  insert(entries, place) {
    const later = this.waiting.splice(place);
    for (const { kind, record, raw } of entries) this[kind](record, raw);
    this.waiting.push(...later);
  }

  wait(item) {
    this.known.set(item.key, item);
    this.waiting.push(item);
    if (this.waiting.length >= 2 * this.limit) this.forget(this.waiting.splice(0, this.limit), true);
    return item;
  }

  forget(items, unseen = false) {
    for (const item of items) this.known.delete(item.key);
    if (unseen) this.missed += items.length;
  }

  get unseen() {
    return this.waiting.length + this.missed;
  }

  /// Moves what waits into the list; what just arrived is highlighted if `highlight` says so.
  show(highlight) {
    const arrived = this.waiting.reverse();
    if (!highlight) for (const item of arrived) item.fresh = false;
    this.items = arrived.concat(this.items);
    this.waiting = [];
    this.missed = 0;
    this.forget(this.items.splice(this.limit));
  }

  /// Takes older entries, newest first, to the end of the list.
  append(entries) {
    this.limit = Limits.rowsWithOlder;
    for (const { kind, record, raw } of entries) {
      if (this.known.has(Item.key(record))) continue;
      const item = Item[{ trace: 'dropped' }[kind] || kind](record, raw);
      this.known.set(item.key, item);
      this.items.push(item);
    }
    this.forget(this.items.splice(this.limit));
  }

  /// The lowest of the workspace's numbers in the list.
  get firstSequence() {
    return Math.min(...this.items.map((item) => item.sequence));
  }

  /// Back to the bound of a list that streams.
  trim() {
    if (this.limit === Limits.rows) return;
    this.limit = Limits.rows;
    this.forget(this.items.splice(this.limit));
  }
}

// ---------------------------------------------------------------------------------------------------------------
// The list

/// The elements of one row; they are reused for other events as the list moves.
class Row {
  constructor() {
    const cell = (name) => element('div', { class: `cell ${name}`, role: 'gridcell' });
    this.cells = {
      time: cell('time'), type: cell('type'), name: cell('name'), user: cell('user'), path: cell('path'),
      latency: cell('latency'),
    };
    this.label = element('span', { class: 'label' });
    this.cells.type.append(this.label);
    this.element = element('div', { class: 'row item', role: 'row' }, ...Object.values(this.cells));
  }

  show(item, index, height, selected) {
    if (this.index !== index || this.height !== height) {
      this.element.style.transform = `translateY(${index * height}px)`;
      this.element.setAttribute('aria-rowindex', index + 2);
      this.index = index;
      this.height = height;
    }
    if (this.item !== item || this.revision !== item.revision) this.fill(item);
    if (this.selected !== selected) {
      this.element.setAttribute('aria-selected', selected);
      this.selected = selected;
    }
  }

  fill(item) {
    // The trace of an event often comes right behind it and must not end the highlight of its row.
    if (this.item !== item) this.element.classList.toggle('fresh-row', item.fresh);
    item.fresh = false;
    this.item = item;
    this.revision = item.revision;
    this.element.id = `row-${item.number}`;
    this.element.dataset.kind = item.kind;
    this.cells.time.textContent = clock(item.time);
    this.label.textContent = item.type;
    this.label.dataset.type = item.type;
    this.cells.name.textContent = item.name || item.hint || '';
    this.cells.name.classList.toggle('hint', !item.name);
    this.cells.user.textContent = item.user;
    this.cells.user.classList.toggle('anonymous', !item.userId);
    this.cells.latency.textContent = item.kind === 'drop' ? '' : span(item.latency);
    this.cells.path.replaceChildren(...Row.path(item));
  }

  /// The path in short: a mark for each stage, and what dropped the event.
  static path(item) {
    const marks = item.stages.slice(0, Limits.marks)
      .map((stage) => element('i', { class: 'mark', 'data-outcome': stage.outcome }));
    const more = item.stages.length - marks.length;
    if (more > 0) marks.push(element('span', { class: 'more' }, `+${more}`));
    const parts = marks.length ? [element('span', { class: 'marks', 'aria-hidden': 'true' }, ...marks)] : [];
    const words = Row.words(item);
    if (words) parts.push(element('span', { class: 'verdict', 'data-outcome': words.outcome }, words.text));
    return parts;
  }

  /// What is worth telling about the path in a few words; undefined when nothing happened on it.
  static words(item) {
    const names = (stages, name) => {
      const all = [...new Set(stages.map((stage) => stage[name] || stage.plugin || stage.stage))];
      return all.length > 1 ? `${all[0]} +${all.length - 1}` : all[0];
    };
    if (item.kind === 'drop') {
      const by = item.droppedBy?.plugin || item.droppedBy?.stage || 'the device';
      return { outcome: 'dropped', text: `dropped by ${by}` };
    }
    const [failed, dropped, changed] = ['failed', 'dropped', 'changed'].map((outcome) => item.with(outcome));
    if (failed.length) return { outcome: 'failed', text: `${names(failed, 'plugin')} failed` };
    if (dropped.length) return { outcome: 'dropped', text: `dropped for ${names(dropped, 'destination')}` };
    if (item.timeProblem) return { outcome: 'failed', text: 'its time cannot be read' };
    if (changed.length) return { outcome: 'changed', text: `changed by ${names(changed, 'plugin')}` };
    // Other clients send no trace; who they are is all that is known.
    if (item.kind === 'event' && !item.stages.length) {
      return { outcome: 'unknown', text: item.library ? `no trace, ${item.library}` : 'no trace' };
    }
    return undefined;
  }
}

/// A list of any length of which only the rows in sight are in the document.
class EventList {
  items = [];
  rows = new Map(); // by item
  spare = [];
  selected = undefined;
  number = 0;

  constructor({ scroll, grid, body, open }) {
    Object.assign(this, { scroll, grid, body });
    body.addEventListener('click', (event) => {
      const target = event.target.closest('.item');
      const row = [...this.rows.values()].find((candidate) => candidate.element === target);
      if (row) open(row.item);
    });
    this.measure();
  }

  measure() {
    this.rowHeight = Number.parseFloat(getComputedStyle(this.grid).getPropertyValue('--row')) || 32;
    this.headHeight = this.grid.firstElementChild.offsetHeight;
  }

  get atTop() {
    return this.scroll.scrollTop < this.rowHeight / 2;
  }

  toTop() {
    this.scroll.scrollTop = 0;
  }

  show(items) {
    if (items.length !== this.items.length) {
      this.body.style.height = `${items.length * this.rowHeight}px`;
      this.grid.setAttribute('aria-rowcount', items.length + 1);
    }
    this.items = items;
    this.draw();
  }

  resized() {
    this.measure();
    this.body.style.height = `${this.items.length * this.rowHeight}px`;
    this.draw();
  }

  draw() {
    const height = this.scroll.clientHeight;
    const first = Math.max(0, Math.floor(this.scroll.scrollTop / this.rowHeight) - Limits.overscan);
    const sight = Math.ceil(height / this.rowHeight) + 2 * Limits.overscan;
    const visible = this.items.slice(first, first + sight);
    this.release(new Set(visible));
    visible.forEach((item, offset) => this.rowOf(item)
      .show(item, first + offset, this.rowHeight, item === this.selected));
    const active = this.rows.get(this.selected);
    if (active) this.grid.setAttribute('aria-activedescendant', active.element.id);
    else this.grid.removeAttribute('aria-activedescendant');
  }

  release(visible) {
    for (const [item, row] of this.rows) {
      if (visible.has(item)) continue;
      this.rows.delete(item);
      this.spare.push(row);
    }
    for (const row of this.spare) {
      row.element.hidden = true;
      row.element.classList.remove('fresh-row'); // An animation would begin again when the row is shown again.
    }
  }

  rowOf(item) {
    let row = this.rows.get(item);
    if (row) return row;
    if (!item.number) item.number = this.number += 1;
    row = this.spare.pop() || new Row();
    row.element.hidden = false;
    this.rows.set(item, row);
    if (!row.element.parentNode) this.body.append(row.element);
    return row;
  }

  select(item) {
    this.selected = item;
    this.draw();
  }

  /// Moves the selection by some rows and keeps it in sight; returns what is selected then.
  move(step) {
    if (!this.items.length) return undefined;
    const now = this.items.indexOf(this.selected);
    const next = now < 0 ? 0 : Math.min(this.items.length - 1, Math.max(0, now + step));
    this.selected = this.items[next];
    const top = next * this.rowHeight;
    const room = this.scroll.clientHeight - this.headHeight - this.rowHeight;
    if (top < this.scroll.scrollTop) this.scroll.scrollTop = top;
    else if (top > this.scroll.scrollTop + room) this.scroll.scrollTop = top - room;
    this.draw();
    return this.selected;
  }

  get pageLength() {
    return Math.max(1, Math.floor((this.scroll.clientHeight - this.headHeight) / this.rowHeight) - 1);
  }
}

// ---------------------------------------------------------------------------------------------------------------
// The path of one event

/// What is known of an event's way from the call in the app to the workspace.
class Path {
  constructor(item) {
    const record = item.raw ? ExactJSON.parse(item.raw) : undefined;
    const trace = item.traceRaw ? ExactJSON.parse(item.traceRaw) : record;
    const stages = member(trace, 'stages');
    const time = (node, name) => instant(textOf(member(node, name)));
    this.known = stages?.kind === 'array';
    this.steps = this.known ? stages.items.map((stage) => new Step(stage)) : [];
    this.trackedAt = time(trace, 'trackedAt');
    this.madeAt = time(record, 'originalTimestamp');
    this.sentAt = time(record, 'sentAt');
    this.receivedAt = time(record, 'receivedAt');
    this.storedAt = time(record, 'storedAt');
    this.timestamp = time(record, 'timestamp');
    this.stored = item.kind === 'event';
    this.isSignal = item.kind === 'signal';
    this.latency = item.latency;
    this.timeProblem = item.timeProblem;
    this.body = this.isSignal ? member(record, 'signal') : this.stored ? member(record, 'event') : trace;
    this.addMissingDrop(item.kind === 'drop' ? member(trace, 'droppedBy') : undefined);
  }

  /// A trace may name what dropped the event without a stage for it.
  addMissingDrop(droppedBy) {
    if (!droppedBy || this.steps.some((step) => step.outcome === 'dropped')) return;
    const step = new Step(droppedBy);
    step.outcome = 'dropped';
    this.steps.push(step);
    this.known = true;
  }

  /// The steps before the ways to the destinations part.
  get trunk() {
    return this.steps.filter((step) => !step.lane && step.stage !== 'after');
  }

  get after() {
    return this.steps.filter((step) => !step.lane && step.stage === 'after');
  }

  /// The ways to the destinations by name; the one that leads to the workspace first.
  get lanes() {
    const lanes = new Map();
    for (const step of this.steps.filter((candidate) => candidate.lane)) {
      if (!lanes.has(step.lane)) lanes.set(step.lane, []);
      lanes.get(step.lane).push(step);
    }
    const list = [...lanes].map(([name, steps]) => ({ name, steps, main: name === CloudDestination }));
    if (this.stored && !list.some((lane) => lane.main)) list.push({ name: '', steps: [], main: true });
    return list.sort((one, other) => Number(other.main) - Number(one.main));
  }

  get droppedBeforeLanes() {
    return this.trunk.some((step) => step.outcome === 'dropped');
  }
}

/// What one plugin did to the event.
class Step {
  constructor(node) {
    this.stage = textOf(member(node, 'stage')) || 'unknown';
    this.plugin = textOf(member(node, 'plugin')) || '';
    this.destination = textOf(member(node, 'destination'));
    this.outcome = textOf(member(node, 'outcome')) || 'unchanged';
    this.note = textOf(member(node, 'note'));
    this.live = this.stage === 'live' || member(node, 'live')?.text === 'true';
    const changes = member(node, 'changes');
    this.changes = changes?.kind === 'array' ? changes.items.map((change) => ({
      path: textOf(member(change, 'path')) || '',
      before: member(change, 'before'),
      after: member(change, 'after'),
    })) : [];
  }

  /// The destination on whose way the step stands; undefined on the way that all share.
  get lane() {
    if (this.destination) return this.destination;
    return this.stage === 'filter' || this.stage === 'destination' ? this.plugin : undefined;
  }

  get column() {
    if (this.lane) return this.stage === 'filter' ? 'filter' : 'destination';
    return this.live ? 'live' : this.stage;
  }
}

const Severity = ['unchanged', 'delivered', 'changed', 'failed', 'dropped'];

/// The outcome that says most about several steps at one place.
function worst(steps) {
  return steps.map((step) => step.outcome)
    .reduce((one, other) => (Severity.indexOf(other) > Severity.indexOf(one) ? other : one), 'unchanged');
}

/// The picture of the path: one line from the call, parting into one for each destination.
class PathPicture {
  static labels = {
    tracked: 'tracked', before: 'before', enrichment: 'enrichment', live: 'live plugins', filter: 'filter',
    destination: 'destination', after: 'after', stored: 'stored',
  };
  static short = { enrichment: 'enrich', live: 'live', destination: 'dest.' };

  constructor(path, width) {
    this.path = path;
    this.width = width;
    this.columns = this.chooseColumns();
    this.lanes = path.droppedBeforeLanes ? [] : path.lanes.slice(0, Limits.lanes);
    this.hiddenLanes = path.droppedBeforeLanes ? 0 : path.lanes.length - this.lanes.length;
    this.top = 42;
    this.gap = 44;
    this.lines = [];
    this.nodes = [];
  }

  get narrow() {
    return this.width / this.columns.length < 66;
  }

  chooseColumns() {
    const present = new Set(this.path.steps.map((step) => step.column));
    const columns = ['tracked', 'before', 'enrichment', 'live', 'filter', 'destination', 'after', 'stored'];
    return columns.filter((name) => (name !== 'live' && name !== 'after') || present.has(name));
  }

  x(column) {
    const step = this.width / this.columns.length;
    return (this.columns.indexOf(column) + 0.5) * step;
  }

  draw() {
    const height = this.top + Math.max(1, this.lanes.length) * this.gap;
    this.drawTrunk();
    if (!this.lanes.length) this.drawGhost();
    else this.lanes.forEach((lane, index) => this.drawLane(lane, this.top + index * this.gap));
    return drawing('svg', {
      class: 'picture', viewBox: `0 0 ${this.width} ${height}`, width: this.width, height, role: 'img',
      'aria-label': this.sentence(),
    }, ...this.columns.map((name) => this.label(name)), ...this.lines, ...this.nodes);
  }

  label(name) {
    const words = (this.narrow && PathPicture.short[name]) || PathPicture.labels[name];
    return drawing('text', { class: 'column', x: this.x(name), y: 14 }, words);
  }

  get lastTrunk() {
    return this.columns.includes('live') ? 'live' : 'enrichment';
  }

  drawTrunk() {
    const y = this.top;
    this.node('tracked', y, this.path.known ? 'tracked' : 'empty', []);
    if (Number.isFinite(this.path.trackedAt)) {
      this.caption('tracked', y, clock(this.path.trackedAt).slice(0, this.narrow ? 8 : undefined));
    }
    let from = 'tracked';
    let ended = !this.path.known;
    for (const column of ['before', 'enrichment', 'live'].filter((name) => this.columns.includes(name))) {
      const steps = this.path.trunk.filter((step) => step.column === column);
      this.line(from, y, column, y, ended);
      ended = this.place(column, y, steps, ended);
      from = column;
    }
    this.trunkEnded = ended;
  }

  /// Draws the node of some steps; true when the event ends there.
  place(column, y, steps, ended) {
    const outcome = worst(steps);
    this.node(column, y, ended || !steps.length ? 'empty' : outcome, steps);
    if (steps.length > 1) this.caption(column, y, `×${steps.length}`);
    return ended || outcome === 'dropped';
  }

  drawLane(lane, y) {
    const start = this.x(this.lastTrunk);
    const end = this.x('filter');
    const curve = y === this.top ? `M${start} ${y}H${end}`
      : `M${start} ${this.top}C${(start + end) / 2} ${this.top} ${(start + end) / 2 - 8} ${y} ${end} ${y}`;
    const unknown = !lane.steps.length;
    this.lines.push(drawing('path', { class: unknown ? 'line ghost' : 'line', d: curve }));
    const filters = lane.steps.filter((step) => step.column === 'filter');
    const others = lane.steps.filter((step) => step.column === 'destination');
    let ended = this.place('filter', y, filters, false);
    this.line('filter', y, 'destination', y, ended || unknown);
    ended = this.place('destination', y, others, ended);
    this.caption('destination', y, shortened(lane.name, 22), lane.name, 'lane');
    if (lane.main) this.drawEnd(y, ended, unknown);
  }

  drawEnd(y, ended, unknown) {
    let from = 'destination';
    if (this.columns.includes('after')) {
      this.line(from, y, 'after', y, ended || unknown);
      this.place('after', y, this.path.after, ended);
      from = 'after';
    }
    this.line(from, y, 'stored', y, !this.path.stored || unknown);
    this.node('stored', y, this.path.stored ? 'stored' : 'empty', []);
    if (this.path.stored && Number.isFinite(this.path.latency)) this.caption('stored', y, span(this.path.latency));
  }

  /// The rest of the way, which the event did not go.
  drawGhost() {
    const rest = this.columns.slice(this.columns.indexOf(this.lastTrunk));
    for (let index = 1; index < rest.length; index += 1) {
      this.line(rest[index - 1], this.top, rest[index], this.top, true);
      this.node(rest[index], this.top, 'empty', []);
    }
  }

  line(from, y, to, toY, ghost) {
    const d = `M${this.x(from)} ${y}L${this.x(to)} ${toY}`;
    this.lines.push(drawing('path', { class: ghost ? 'line ghost' : 'line', d }));
  }

  caption(column, y, words, full, kind = '') {
    if (!words) return;
    const text = drawing('text', { class: `caption ${kind}`, x: this.x(column), y: y + 22 }, words);
    if (full && full !== words) text.append(drawing('title', {}, full));
    this.nodes.push(text);
  }

  node(column, y, outcome, steps) {
    const names = steps.map((step) => `${step.plugin || step.stage}: ${step.outcome}`).join('\n');
    this.nodes.push(drawing('g', {
      class: 'node', 'data-outcome': outcome, transform: `translate(${this.x(column)} ${y})`,
    }, drawing('title', {}, names || PathPicture.labels[column]), ...PathPicture.glyph(outcome)));
  }

  /// Each outcome has a form of its own, so that nothing hangs on colour alone.
  static glyph(outcome) {
    const disc = (radius) => drawing('circle', { class: 'disc', r: radius });
    const sign = (d) => drawing('path', { class: 'sign', d });
    switch (outcome) {
      case 'tracked': return [disc(6)];
      case 'changed': return [disc(8.5), sign('M0-3.6L3.8 3H-3.8Z')];
      case 'dropped': return [disc(8.5), sign('M-3-3L3 3M3-3L-3 3')];
      case 'failed': return [disc(8.5), sign('M0-4V1M0 3.6V4')];
      case 'delivered': case 'stored': return [disc(8.5), sign('M-3.6 0.2L-1 3L3.8-2.8')];
      case 'empty': return [disc(3)];
      default: return [disc(5)];
    }
  }

  /// The picture for those who do not see it.
  sentence() {
    const steps = this.path.steps.map((step) => `${step.stage} ${step.plugin} ${step.outcome}`);
    const end = this.path.stored ? 'stored' : 'not stored';
    return ['Path of the event: tracked', ...steps, end].join(', ');
  }
}

// ---------------------------------------------------------------------------------------------------------------
// The panel

/// The side of the page that tells everything about one event, or what is deployed.
class Panel {
  constructor(root, closed) {
    this.root = root;
    this.closed = closed;
  }

  get isOpen() {
    return !this.root.hidden;
  }

  close() {
    if (!this.isOpen) return;
    this.item = undefined;
    this.root.hidden = true;
    this.root.replaceChildren();
    document.body.classList.remove('with-panel');
    this.closed();
  }

  /// Makes the panel visible, which gives it a width.
  reveal() {
    this.root.hidden = false;
    document.body.classList.add('with-panel');
  }

  open(heading, ...sections) {
    this.reveal();
    const close = element('button', {
      class: 'button small close', type: 'button', 'aria-keyshortcuts': 'Escape', click: () => this.close(),
    }, 'Close');
    const body = element('div', { class: 'panel-body', tabindex: '0', role: 'region', 'aria-label': 'Details' },
      ...sections);
    this.root.replaceChildren(element('div', { class: 'panel-head' }, heading, close), body);
    if (getComputedStyle(this.root).position === 'fixed') close.focus();
  }

  /// Shows an event; again only when something about it changed.
  show(item) {
    if (this.item === item && this.revision === item.revision) return;
    const kept = this.item === item ? this.root.querySelector('.panel-body')?.scrollTop : 0;
    this.item = item;
    this.revision = item.revision;
    this.reveal();
    const label = element('span', { class: 'label', 'data-type': item.type }, item.type);
    const title = element('h2', {}, label, ` ${item.name || item.hint}`);
    this.open(element('div', {}, title, Panel.identity(item)), ...this.sections(item));
    if (kept) this.root.querySelector('.panel-body').scrollTop = kept;
  }

  static identity(item) {
    if (item.kind === 'signal') {
      const from = [item.anonymousId && `anonymous ${item.anonymousId}`, item.messageId && `number ${item.messageId}`];
      return element('p', { class: 'identity' }, ...from.filter(Boolean).map((part) => element('span', {}, part)));
    }
    const parts = [item.userId && `user ${item.userId}`, item.anonymousId && `anonymous ${item.anonymousId}`,
      `message ${item.messageId}`, Number.isInteger(item.madeOf) && `made of signal ${item.madeOf}`];
    return element('p', { class: 'identity' }, ...parts.filter(Boolean).map((part) => element('span', {}, part)));
  }

  sections(item) {
    let path;
    try {
      path = new Path(item);
    } catch (error) {
      const raw = item.raw || item.traceRaw || '';
      return [section('JSON', element('p', { class: 'note' }, `Shown as text: ${error.message}.`),
        element('pre', { class: 'raw' }, raw))];
    }
    const width = Math.max(320, Math.min(620, this.root.clientWidth) - 32);
    const body = path.body;
    if (path.isSignal) {
      return [section('Signal as received', new JSONTree(body).draw(), copyButton(() => pretty(body), 'Copy JSON'))];
    }
    return [
      section('Path', Panel.verdict(item, path), new PathPicture(path, width).draw(), StepList.draw(path)),
      path.stored ? section('Times', TimeTable.draw(path)) : undefined,
      body ? section(path.stored ? 'Event as received' : 'Trace as received', new JSONTree(body).draw(),
        copyButton(() => pretty(body), 'Copy JSON')) : undefined,
    ].filter(Boolean);
  }

  static verdict(item, path) {
    if (item.kind === 'drop') {
      const { plugin, stage, destination } = item.droppedBy || {};
      const where = [stage && `stage ${stage}`, destination && `for ${destination}`].filter(Boolean).join(', ');
      const words = `Dropped on the device by ${plugin || 'an unnamed plugin'}${where ? ` (${where})` : ''}.`;
      return element('p', { class: 'note', 'data-outcome': 'dropped' }, words);
    }
    if (!path.known) {
      const client = item.library ? `, ${item.library},` : '';
      return element('p', { class: 'note' }, `The client${client} sent no trace of this event, so its path on the device `
        + 'is not known. The inspector of Tributary’s own client sends traces.');
    }
    return undefined;
  }
}

function section(title, ...children) {
  const name = element('h3', {}, title);
  const action = children.at(-1)?.classList?.contains('button') ? children.pop() : undefined;
  return element('section', {}, element('div', { class: 'section-head' }, name, action), ...children);
}

/// The steps in order, each with what it did.
class StepList {
  static draw(path) {
    const list = element('ol', { class: 'steps' });
    if (Number.isFinite(path.trackedAt)) list.append(StepList.mile('tracked', 'tracked', clock(path.trackedAt)));
    for (const step of [...path.trunk, ...path.lanes.flatMap((lane) => lane.steps), ...path.after]) {
      list.append(StepList.step(step));
    }
    if (Number.isFinite(path.receivedAt)) {
      list.append(StepList.mile('received', 'unchanged', clock(path.receivedAt)));
    }
    if (path.stored) list.append(StepList.mile('stored', 'stored', clock(path.storedAt)));
    return list;
  }

  static mile(name, outcome, time) {
    return element('li', { class: 'step mile', 'data-outcome': outcome },
      element('div', { class: 'step-line' }, element('span', { class: 'stage' }, name),
        element('span', { class: 'plugin' }), element('span', { class: 'when' }, time)));
  }

  static step(step) {
    const place = step.lane && step.lane !== step.plugin ? `${step.stage} · ${step.lane}` : step.stage;
    const line = element('div', { class: 'step-line' },
      element('span', { class: 'stage' }, place),
      element('span', { class: 'plugin' }, step.plugin, step.live ? element('small', {}, 'live') : undefined),
      element('span', { class: 'outcome' }, step.outcome));
    return element('li', { class: 'step', 'data-outcome': step.outcome }, line,
      step.note ? element('p', { class: 'reason' }, step.note) : undefined,
      step.changes.length ? StepList.changes(step.changes) : undefined);
  }

  static changes(changes) {
    const side = (sign, node) => (node === undefined ? undefined
      : element('div', { class: sign === '+' ? 'after' : 'before' },
        element('span', { class: 'sign', 'aria-label': sign === '+' ? 'after' : 'before' }, sign),
        element('code', {}, compact(node))));
    const kind = (change) => {
      if (change.before === undefined) return 'added';
      return change.after === undefined ? 'removed' : 'changed';
    };
    return element('ul', { class: 'changes' }, ...changes.map((change) => element('li', {},
      element('div', { class: 'change-path' }, element('code', {}, change.path), ` ${kind(change)}`),
      side('−', change.before), side('+', change.after))));
  }
}

/// The times of an event and what lies between them.
class TimeTable {
  static draw(path) {
    const rows = [
      ['Tracked on the device', Number.isFinite(path.trackedAt) ? path.trackedAt : path.madeAt],
      ['Sent', path.sentAt], ['Received', path.receivedAt], ['Stored', path.storedAt],
    ].filter((row) => Number.isFinite(row[1]));
    const table = element('table', { class: 'times' });
    rows.forEach(([name, time], index) => {
      const gap = index ? TimeTable.gap(rows[index - 1][1], time) : '';
      table.append(TimeTable.row(name, time, gap));
    });
    if (Number.isFinite(path.timestamp) && path.timestamp !== path.madeAt) {
      const name = path.timeProblem ? 'Timestamp, of arrival' : 'Timestamp, corrected';
      table.append(TimeTable.row(name, path.timestamp, ''));
    }
    if (path.timeProblem) {
      table.append(element('tr', {}, element('th', { scope: 'row' }, 'Timestamp, not read'),
        element('td', { colspan: 2, class: 'problem' }, path.timeProblem)));
    }
    if (Number.isFinite(path.latency)) {
      table.append(element('tr', { class: 'sum' }, element('th', { scope: 'row' }, 'Latency'), element('td'),
        element('td', {}, span(path.latency))));
    }
    return table;
  }

  /// What lies between two times. One that goes back was taken from two clocks that do not agree.
  static gap(before, after) {
    return after >= before ? `+${span(after - before)}` : 'clocks differ';
  }

  static row(name, time, gap) {
    const iso = new Date(time).toISOString();
    return element('tr', {}, element('th', { scope: 'row' }, name),
      element('td', {}, element('time', { datetime: iso, title: iso }, TimeTable.long(time))),
      element('td', {}, gap));
  }

  static long(time) {
    const date = new Date(time);
    const day = `${date.getFullYear()}-${padded(date.getMonth() + 1)}-${padded(date.getDate())}`;
    return `${day} ${clock(time)}`;
  }
}

/// A JSON value as lines that fold; what is folded is drawn when it is opened.
class JSONTree {
  /// `levels` of the tree start open.
  constructor(node, levels = Limits.openDepth) {
    this.node = node;
    this.levels = levels;
  }

  draw() {
    return element('div', { class: 'json' }, this.value(undefined, this.node, 0, true));
  }

  value(key, node, depth, last) {
    const prefix = key === undefined ? [] : [element('span', { class: 'key' }, JSON.stringify(key)), ': '];
    const comma = last ? '' : ',';
    const children = node.kind === 'object' ? node.entries : node.items?.map((item) => [undefined, item]);
    if (!children?.length) {
      const words = children ? (node.kind === 'object' ? '{}' : '[]') : scalar(node);
      const kind = children ? 'empty-value' : node.kind;
      return element('div', { class: 'json-line' }, ...prefix, element('span', { class: kind }, words), comma);
    }
    return this.folding(prefix, node, children, depth, comma);
  }

  folding(prefix, node, children, depth, comma) {
    const [open, close] = node.kind === 'object' ? ['{', '}'] : ['[', ']'];
    const folded = element('span', { class: 'folded' }, `… ${plural(children.length, 'value')} ${close}${comma}`);
    const body = element('div', { class: 'json-body' });
    const details = element('details', { open: depth < this.levels },
      element('summary', {}, ...prefix, open, ' ', folded), body,
      element('div', { class: 'json-line' }, close + comma));
    const fill = () => {
      if (!details.open || body.firstChild) return;
      body.append(...children.map(([key, child], index) => this.value(key, child, depth + 1,
        index === children.length - 1)));
    };
    details.addEventListener('toggle', fill);
    fill();
    return details;
  }
}

// ---------------------------------------------------------------------------------------------------------------
// Numbers in the header

/// Events a second during the last minute.
class Sparkline {
  stored = new Map(); // second → number
  drops = new Map();

  constructor(stored, drops, rate) {
    this.lines = { stored, drops };
    this.rate = rate;
  }

  static now() {
    return Math.floor(performance.now() / 1000);
  }

  add(kind) {
    const second = Sparkline.now();
    this[kind].set(second, (this[kind].get(second) || 0) + 1);
  }

  /// Events in the last whole second.
  get lastSecond() {
    const second = Sparkline.now() - 1;
    return this.total(second);
  }

  total(second) {
    return (this.stored.get(second) || 0) + (this.drops.get(second) || 0);
  }

  draw() {
    const now = Sparkline.now();
    for (const series of [this.stored, this.drops]) {
      for (const second of series.keys()) if (second < now - Limits.sparkSeconds) series.delete(second);
    }
    const seconds = Array.from({ length: Limits.sparkSeconds }, (_, index) => now - Limits.sparkSeconds + 1 + index);
    const highest = Math.max(4, ...seconds.map((second) => this.total(second)));
    const stored = seconds.map((second) => (this.stored.get(second) || 0) / highest);
    const drops = seconds.map((second) => (this.drops.get(second) || 0) / highest);
    this.lines.stored.setAttribute('d', Sparkline.bars(stored, stored.map(() => 0)));
    this.lines.drops.setAttribute('d', Sparkline.bars(drops, stored));
    this.rate.textContent = count(this.lastSecond);
  }

  static bars(heights, floors) {
    return heights.map((height, index) => {
      if (!height) return '';
      const base = 35 - floors[index] * 33;
      return `M${index * 3} ${base.toFixed(1)}v${(-Math.max(1, height * 33)).toFixed(1)}h2v`
        + `${Math.max(1, height * 33).toFixed(1)}z`;
    }).join('');
  }
}

/// The counters of the workspace.
class Counters {
  show(stats) {
    const latency = stats.latency || {};
    byId('count-stored').textContent = count(stats.stored);
    byId('count-drops').textContent = count(stats.tracedDrops);
    byId('count-duplicates').textContent = count(stats.duplicates);
    byId('count-rejected').textContent = count(stats.rejected);
    byId('latency').textContent = latency.count ? `${span(latency.medianMs)} / ${span(latency.p99Ms)}` : '–';
    for (const id of ['count-drops', 'count-rejected']) {
      byId(id).classList.toggle('some', byId(id).textContent !== '0' && byId(id).textContent !== '–');
    }
  }
}

// ---------------------------------------------------------------------------------------------------------------
// The workspace

/// The workspace's HTTP interface.
class Workspace {
  static async text(path, options = {}) {
    const response = await fetch(path, { headers: { Accept: 'application/json' }, cache: 'no-store', ...options });
    const text = await response.text();
    if (response.ok) return text;
    if (response.status === 401) Workspace.login();
    let reason = `status ${response.status}`;
    try {
      reason = JSON.parse(text).error || reason;
    } catch {
      // An answer that is not the workspace's own says nothing more than its status.
    }
    throw new Error(reason);
  }

  static async json(path) {
    return JSON.parse(await Workspace.text(path));
  }

  /// What the workspace answers to a JSON text.
  static async answer(path, text) {
    const headers = { Accept: 'application/json', 'Content-Type': 'application/json' };
    return JSON.parse(await Workspace.text(path, { method: 'POST', headers, body: text }));
  }

  /// The records of a list answer, each with its own JSON text.
  static async records(path, name) {
    const text = await Workspace.text(path);
    const list = member(ExactJSON.parse(text), name);
    return (list?.items || []).map((node) => {
      const raw = text.slice(node.start, node.end);
      return { record: JSON.parse(raw), raw };
    });
  }

  /// The login is over, or another token was made.
  static login() {
    window.location.assign('/login');
  }

  static source(writeKey, name) {
    return `/api/sources/${encodeURIComponent(writeKey)}/${name}`;
  }
}

/// The stream of events. It opens again by itself, for as long as the page is open.
class Connection {
  attempts = 0;

  /// `changed` gets "connecting", "live" or "lost"; `received` gets the kind of a message and its text.
  constructor({ changed, received }) {
    Object.assign(this, { changed, received });
    window.addEventListener('online', () => this.open());
  }

  open() {
    clearTimeout(this.timer);
    this.stream?.close();
    const stream = new EventSource('/api/stream');
    this.stream = stream;
    stream.addEventListener('open', () => {
      this.attempts = 0;
      this.changed('live');
    });
    // The browser would try again by itself, but not after every kind of failure and not at once.
    stream.addEventListener('error', () => this.lost());
    for (const kind of ['event', 'trace', 'signal', 'stats']) {
      stream.addEventListener(kind, (message) => this.received(kind, message.data));
    }
  }

  lost() {
    this.stream.close();
    this.changed('lost');
    // A stream does not say why it failed. When the login is over, this leads to the next one.
    Workspace.text('/api/stats').catch(() => {});
    const delay = RetryDelays[Math.min(this.attempts, RetryDelays.length - 1)];
    this.attempts += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.open(), delay);
  }
}

/// What a client can be sent to do: the bundle of live plugins and the filter rules of a source.
class Deployment {
  constructor(panel) {
    this.panel = panel;
    this.bundles = { current: null, versions: [] };
    this.rules = undefined;
    byId('bundle').addEventListener('click', () => this.showBundles());
    byId('rules').addEventListener('click', () => this.showRules());
  }

  async refresh(writeKey) {
    if (!writeKey) return;
    const [bundles, rules] = await Promise.all([
      Workspace.json(Workspace.source(writeKey, 'live-plugins')),
      Workspace.text(Workspace.source(writeKey, 'filters')),
    ]);
    this.writeKey = writeKey;
    this.bundles = bundles;
    this.rules = ExactJSON.parse(rules);
    const number = this.rules.items?.length || 0;
    Deployment.label('bundle', bundles.current === null ? 'no live plugins' : `live plugins v${bundles.current}`);
    Deployment.label('rules', number ? plural(number, 'filter rule') : 'no filter rules');
  }

  /// Shows a text; one that replaces another catches the eye for a moment.
  static label(id, text) {
    const button = byId(id);
    if (button.textContent === text) return;
    const first = !button.dataset.known;
    button.dataset.known = 'yes';
    button.textContent = text;
    button.classList.remove('news');
    if (!first) requestAnimationFrame(() => button.classList.add('news'));
  }

  showBundles() {
    const versions = [...(this.bundles.versions || [])].sort((one, other) => other.version - one.version);
    const current = (version) => String(version.version === this.bundles.current);
    const rows = versions.map((version) => element('tr', { 'data-current': current(version) },
      element('td', {}, `v${version.version}`), element('td', {}, plural(version.bytes, 'byte')),
      element('td', {}, TimeTable.long(instant(version.deployedAt))),
      element('td', {}, element('code', { title: version.sha256 }, String(version.sha256 || '').slice(0, 12)))));
    const head = element('tr', {}, ...['Version', 'Size', 'Deployed', 'SHA-256']
      .map((name) => element('th', { scope: 'col' }, name)));
    this.open('Live plugins', rows.length ? element('table', { class: 'versions' }, head, ...rows)
      : element('p', { class: 'note' }, 'No bundle of live plugins is deployed for this source.'),
    'tributary plugin deploy plugins.js');
  }

  showRules() {
    const some = this.rules?.items?.length;
    this.open('Filter rules', some ? new JSONTree(this.rules, Limits.jsonDepth).draw()
      : element('p', { class: 'note' }, 'No filter rule is deployed for this source.'),
    'tributary filter deploy rules.json', new RuleTrial(this.writeKey, this.rules).draw());
  }

  open(title, content, command, ...more) {
    const line = [command, `  --server ${location.origin}`, `  --write-key ${shellWord(this.writeKey || 'KEY')}`]
      .join(' \\\n');
    this.panel.item = undefined;
    this.panel.open(element('h2', {}, title), section(`Source ${this.writeKey || ''}`, content),
      ...more,
      section('Deploy from a terminal', element('pre', { class: 'code' }, line), copyButton(() => line)));
  }
}

/// Tries rules on the newest stored events of a source; nothing is deployed.
class RuleTrial {
  constructor(writeKey, rules) {
    this.writeKey = writeKey;
    this.text = rules ? pretty(rules) : '[]';
  }

  draw() {
    this.input = element('textarea', {
      id: 'trial-rules', class: 'rules-input', rows: '10', spellcheck: 'false', 'aria-label': 'Rules to try, as JSON',
    });
    this.input.value = this.text;
    this.result = element('div', { id: 'trial', class: 'trial', role: 'status' });
    this.button = element('button', { id: 'try-rules', class: 'button small', type: 'button' }, 'What would this do?');
    this.button.addEventListener('click', () => this.run());
    return section('Try rules on stored events', this.input, this.result, this.button);
  }

  async run() {
    try {
      JSON.parse(this.input.value);
    } catch (error) {
      this.result.replaceChildren(RuleTrial.note(`The rules are not JSON: ${error.message}`, 'failed'));
      return;
    }
    this.button.disabled = true;
    this.result.replaceChildren(RuleTrial.note('Trying the rules …'));
    try {
      this.show(await Workspace.answer(Workspace.source(this.writeKey, 'filters/dry-run'), this.input.value));
    } catch (error) {
      this.result.replaceChildren(RuleTrial.note(error.message, 'failed'));
    }
    this.button.disabled = false;
  }

  show(answer) {
    const problems = answer.problems.map((problem) => RuleTrial.note(problem.text, 'failed'));
    const lines = answer.destinations.map((entry) => element('p', {}, element('strong', {}, entry.destination),
      `: would drop ${count(entry.dropped)} and change ${count(entry.changed)} of the last `
        + `${plural(answer.events, 'event')}`));
    if (!lines.length) lines.push(RuleTrial.note('No rule names a destination.'));
    if (!answer.complete) lines.push(RuleTrial.note('The time was over before all events had been tried.'));
    this.result.replaceChildren(...problems, ...lines, ...RuleTrial.table(answer.rules),
      ...answer.examples.map(RuleTrial.example));
  }

  static note(text, outcome) {
    return element('p', { class: 'note', 'data-outcome': outcome }, text);
  }

  static table(rules) {
    if (!rules.length) return [];
    const head = element('tr', {}, ...['Rule', 'Destination', 'Drops', 'Changes', 'Leaves']
      .map((name) => element('th', { scope: 'col' }, name)));
    const rows = rules.map((rule) => element('tr', {}, ...[
      rule.name || `rule ${rule.rule}`, rule.destination, count(rule.dropped), count(rule.changed),
      count(rule.untouched),
    ].map((text) => element('td', {}, String(text)))));
    return [element('table', { class: 'versions' }, head, ...rows)];
  }

  static example(example) {
    const event = example.before;
    const name = event.event || event.name || event.type || 'event';
    const what = example.after ? 'changed' : 'dropped';
    const by = `${what} for ${example.destination} by rule ${example.rules.join(', ')}`;
    const text = (value) => element('pre', { class: 'code' }, JSON.stringify(value, undefined, 2));
    return element('details', { class: 'example' },
      element('summary', {}, element('strong', {}, String(name)), ` ${by}`),
      element('h4', {}, 'Before'), text(event),
      ...(example.after ? [element('h4', {}, 'After'), text(example.after)] : []));
  }
}

/// Events that the workspace did not store, each with the reason.
class Rejections {
  constructor(panel) {
    this.panel = panel;
  }

  async show(scope) {
    let content;
    try {
      const records = await Workspace.records(`/api/rejected?order=desc&limit=${Limits.rejected}${scope}`, 'rejected');
      content = records.length ? records.map(({ record, raw }) => Rejections.entry(record, raw))
        : [element('p', { class: 'note' }, 'No event was rejected.')];
    } catch (error) {
      content = [element('p', { class: 'note' }, `The rejected events could not be read: ${error.message}.`)];
    }
    this.panel.item = undefined;
    this.panel.open(element('h2', {}, 'Rejected events'), section('Newest first', ...content));
  }

  static entry(record, raw) {
    const event = member(ExactJSON.parse(raw), 'event');
    return element('article', { class: 'rejection' },
      element('div', { class: 'step-line' }, element('span', { class: 'when' }, clock(instant(record.receivedAt))),
        element('code', {}, textual(record.code)), element('span', { class: 'when' }, textual(record.writeKey))),
      element('p', { class: 'reason' }, textual(record.reason)),
      event ? new JSONTree(event, 0).draw() : undefined);
  }
}

function shellWord(text) {
  return /^[\w.@%+=:,/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/// What stands in the place of the list while there is nothing to show.
class EmptyState {
  constructor(root) {
    this.root = root;
  }

  hide() {
    this.root.hidden = true;
    this.state = undefined;
  }

  /// `state` names what is shown, so that it is not built again for every frame.
  show(state, build) {
    this.root.hidden = false;
    if (this.state === state) return;
    this.state = state;
    this.root.replaceChildren(...build());
  }

  static first(writeKey) {
    const address = `${location.origin}/v1`;
    const swift = EmptyState.swift(address, writeKey);
    const curl = EmptyState.curl(address, writeKey);
    const block = (title, id, text) => element('section', {},
      element('div', { class: 'section-head' }, element('h3', {}, title), copyButton(() => text)),
      element('pre', { class: 'code', id }, text));
    return [element('h2', {}, 'No events yet'),
      element('p', {}, 'Send the first one from an app or from a terminal. It appears here as soon as it is stored.'),
      block('Swift', 'snippet-swift', swift), block('Terminal', 'snippet-curl', curl)];
  }

  static swift(address, writeKey) {
    const quoted = (text) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
    return ['import Tributary', '',
      `let analytics = Analytics(configuration: Configuration(writeKey: ${quoted(writeKey)})`,
      `    .apiHost(${quoted(address)})`,
      `    .cdnHost(${quoted(address)}))`,
      'analytics.track(name: "First Event", properties: ["plan": "pro"])',
      'await analytics.flush(timeout: 5)'].join('\n');
  }

  static curl(address, writeKey) {
    const body = JSON.stringify({ writeKey, userId: 'u-1', event: 'First Event' });
    return [`curl ${address}/track \\`, "  -H 'Content-Type: application/json' \\",
      `  -d ${shellWord(body)}`].join('\n');
  }

  static nothingMatches(clear, older) {
    const button = (label, click) => element('button', { class: 'button', type: 'button', click }, label);
    return [element('h2', {}, 'No event matches'),
      element('p', {}, 'None of the events that are loaded matches the filter. New ones that do will appear here.'),
      element('div', { class: 'choices' }, button('Clear the filter', clear),
        older ? button('Search older events', older) : undefined)];
  }
}

// ---------------------------------------------------------------------------------------------------------------
// The page

class Page {
  feed = new Feed();
  filter = new Filter();
  counters = new Counters();
  connectionState = 'connecting';
  paused = false;
  loaded = false; // the first answer of the workspace is here
  catchingUp = false;
  writeKeys = [];
  older = { known: false, more: false }; // whether the workspace has events before those in the list

  constructor() {
    this.panel = new Panel(byId('panel'), () => this.panelClosed());
    this.deployment = new Deployment(this.panel);
    this.rejections = new Rejections(this.panel);
    this.empty = new EmptyState(byId('empty'));
    this.sparkline = new Sparkline(byId('spark-stored'), byId('spark-drops'), byId('rate'));
    this.list = new EventList({
      scroll: byId('scroll'), grid: byId('events'), body: byId('rows'), open: (item) => this.openItem(item),
    });
    this.connection = new Connection({
      changed: (state) => this.connectionChanged(state), received: (kind, text) => this.received(kind, text),
    });
  }

  start() {
    this.makeChips();
    this.listen();
    this.connection.open();
    setInterval(() => this.sparkline.draw(), 500);
    setInterval(() => this.refreshDeployment(), DeploymentInterval);
    this.draw();
  }

  listen() {
    byId('pause').addEventListener('click', () => this.pause(!this.paused));
    byId('fresh').addEventListener('click', () => this.toTop());
    byId('count-rejected').addEventListener('click', () => this.rejections.show(this.scope('&')));
    byId('older').addEventListener('click', () => this.loadOlder());
    byId('filter').addEventListener('input', (event) => {
      this.filter.text = event.target.value;
      this.filterChanged();
    });
    byId('source').addEventListener('change', (event) => this.chooseSource(event.target.value));
    byId('scroll').addEventListener('scroll', () => this.schedule(), { passive: true });
    new ResizeObserver(() => this.list.resized()).observe(byId('scroll'));
    document.addEventListener('keydown', (event) => this.key(event));
    document.addEventListener('visibilitychange', () => this.refreshDeployment());
  }

  // Frames

  /// Everything that arrives between two frames is drawn in one go.
  schedule() {
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      this.frame = undefined;
      this.draw();
    });
  }

  get holding() {
    return this.paused || this.catchingUp || !this.list.atTop;
  }

  draw() {
    if (!this.holding) {
      if (!this.filter.active) this.feed.trim();
      this.feed.show(this.sparkline.lastSecond <= Limits.freshRate);
    }
    if (this.feed.items.length >= this.feed.limit) this.older.more = true;
    const shown = this.feed.items.filter((item) => this.filter.matches(item));
    this.list.show(shown);
    if (this.panel.item) this.panel.show(this.panel.item);
    this.drawEmpty(shown.length);
    this.drawHeld();
    byId('older').hidden = !shown.length || !this.canShowOlder;
  }

  get canShowOlder() {
    return this.older.more && this.feed.items.length < Limits.rowsWithOlder;
  }

  drawEmpty(shown) {
    if (shown) this.empty.hide();
    else if (this.feed.items.length) {
      const older = this.canShowOlder ? () => this.loadOlder() : undefined;
      this.empty.show(`filtered ${Boolean(older)}`,
        () => EmptyState.nothingMatches(() => this.clearFilter(), older));
    } else if (this.loaded && !this.feed.waiting.length) {
      const writeKey = this.filter.writeKey || this.writeKeys[0] || 'KEY';
      this.empty.show(`first ${writeKey}`, () => EmptyState.first(writeKey));
    } else this.empty.hide();
  }

  /// How many events wait, because the reader paused or reads further down.
  drawHeld() {
    const waiting = this.feed.unseen;
    const button = byId('pause');
    button.textContent = this.paused ? (waiting ? `Resume · ${count(waiting)} new` : 'Resume') : 'Pause';
    const fresh = byId('fresh');
    fresh.hidden = this.paused || !waiting || this.list.atTop;
    if (!fresh.hidden) fresh.textContent = `↑ ${plural(waiting, 'new event')}`;
  }

  // The stream

  received(kind, text) {
    let record;
    try {
      record = JSON.parse(text);
    } catch {
      return; // A message that was cut off; what it told comes again with the next look at the list.
    }
    if (kind === 'stats') this.statsArrived(record);
    else this.take(kind, record, text);
    this.schedule();
  }

  take(kind, record, text) {
    if (this.filter.writeKey && record.writeKey && record.writeKey !== this.filter.writeKey) return;
    const item = this.feed[{ event: 'stored' }[kind] || kind](record, text);
    if (!item) return;
    item.fresh = true;
    if (kind === 'signal') return;
    this.sparkline.add(kind === 'event' ? 'stored' : 'drops');
  }

  statsArrived(stats) {
    // A look that fails is made again with the next figures.
    if (this.filter.writeKey) this.refreshStats().catch(() => {});
    else this.counters.show(stats);
  }

  async connectionChanged(state) {
    const before = this.connectionState;
    this.connectionState = state;
    this.showStatus();
    if (state === 'live' && before !== 'live') await this.catchUp();
  }

  /// Reads what was stored while no stream was open. Nothing new is shown until then, so that the order is right.
  async catchUp() {
    const feed = this.feed;
    this.catchingUp = true;
    try {
      await Promise.all([this.readSources(), this.readNewest(feed), this.refreshStats()]);
      this.problem = undefined;
      this.loaded = true;
    } catch (error) {
      this.problem = `earlier events could not be read: ${error.message}`;
      this.catchUpAgain();
    }
    if (feed !== this.feed) return; // Another source was chosen meanwhile, which has a catching-up of its own.
    this.catchingUp = false;
    this.showStatus();
    this.schedule();
  }

  catchUpAgain() {
    clearTimeout(this.catchUpTimer);
    this.catchUpTimer = setTimeout(() => {
      if (this.connectionState === 'live') this.catchUp();
    }, RetryDelays.at(-1));
  }

  /// The query that limits an answer to the chosen source.
  scope(separator) {
    return this.filter.writeKey ? `${separator}writeKey=${encodeURIComponent(this.filter.writeKey)}` : '';
  }

  async readNewest(feed) {
    const place = feed.waiting.length;
    const { entries, more } = await this.readPage('');
    if (feed !== this.feed) return;
    if (!this.older.known) this.older = { known: true, more };
    feed.insert(entries, place);
  }

  /// One part of the workspace's list, oldest first, and whether there is more before it.
  async readPage(position) {
    const query = `?order=desc&limit=${Limits.page}${position}${this.scope('&')}`;
    const [events, drops, signals] = await Promise.all([
      Workspace.records(`/api/events${query}`, 'events'), Workspace.records(`/api/drops${query}`, 'drops'),
      Workspace.records(`/api/signals${query}`, 'signals'),
    ]);
    const full = [events, drops, signals].filter((list) => list.length === Limits.page);
    // The lists are complete only down to where the first of them was cut.
    const horizon = Math.max(0, ...full.map((list) => list.at(-1).record.sequence));
    const entries = [...events.map((entry) => ({ ...entry, kind: 'stored' })),
      ...drops.map((entry) => ({ ...entry, kind: 'trace' })),
      ...signals.map((entry) => ({ ...entry, kind: 'signal' }))]
      .filter((entry) => entry.record.sequence >= horizon)
      .sort((one, other) => one.record.sequence - other.record.sequence);
    return { entries, more: full.length > 0 };
  }

  async loadOlder() {
    const button = byId('older');
    const feed = this.feed;
    button.disabled = true;
    try {
      const { entries, more } = await this.readPage(`&before=${feed.firstSequence}`);
      feed.append(entries.reverse());
      if (feed === this.feed) this.older.more = more;
      this.problem = undefined;
    } catch (error) {
      this.problem = `older events could not be read: ${error.message}`;
    }
    button.disabled = false;
    this.showStatus();
    this.schedule();
  }

  // Sources, counters, what is deployed

  async readSources() {
    const answer = await Workspace.json('/api/sources');
    const sources = Array.isArray(answer) ? answer : answer.sources || [];
    this.writeKeys = sources.map((source) => source.writeKey);
    const choices = sources.map((source) => element('option', { value: source.writeKey },
      source.name && source.name !== source.writeKey ? `${source.name} · ${source.writeKey}` : source.writeKey));
    const all = choices.length === 1 ? [] : [element('option', { value: '' }, 'All sources')];
    const select = byId('source');
    const chosen = select.value;
    select.replaceChildren(...all, ...choices);
    if (this.writeKeys.includes(chosen) && all.length) select.value = chosen;
    await this.refreshDeployment();
  }

  async refreshStats() {
    if (this.readingStats) return;
    this.readingStats = true;
    try {
      this.counters.show(await Workspace.json(`/api/stats${this.scope('?')}`));
    } finally {
      this.readingStats = false;
    }
  }

  async refreshDeployment() {
    if (this.connectionState !== 'live' || document.hidden) return;
    try {
      await this.deployment.refresh(this.filter.writeKey || this.writeKeys[0]);
    } catch {
      // Shown as it was; the next look comes in a few seconds.
    }
  }

  /// Starts again with the events of one source, or of all.
  chooseSource(writeKey) {
    this.filter.writeKey = writeKey;
    this.feed = new Feed();
    this.older = { known: false, more: false };
    this.loaded = false;
    this.list.toTop();
    this.panel.close();
    this.refreshDeployment();
    this.catchUp();
  }

  // State

  showStatus() {
    const words = { connecting: 'Connecting', live: 'Live', lost: 'Connection lost, trying again' };
    const held = this.paused && this.connectionState === 'live';
    const text = held ? 'Paused' : words[this.connectionState];
    const status = byId('status');
    status.dataset.state = held ? 'paused' : this.connectionState;
    const full = this.problem && this.connectionState === 'live' ? `${text}; ${this.problem}` : text;
    if (byId('status-text').textContent !== full) byId('status-text').textContent = full;
  }

  pause(paused) {
    this.paused = paused;
    byId('pause').setAttribute('aria-pressed', paused);
    this.showStatus();
    this.schedule();
  }

  toTop() {
    this.list.toTop();
    this.schedule();
  }

  openItem(item) {
    this.list.select(item);
    this.panel.show(item);
  }

  panelClosed() {
    byId('events').focus({ preventScroll: true });
  }

  // Filter

  makeChips() {
    const chip = (set, name, attributes) => element('button', {
      class: 'chip', type: 'button', 'aria-pressed': 'false', ...attributes, click: (event) => {
        if (!set.delete(name)) set.add(name);
        event.currentTarget.setAttribute('aria-pressed', set.has(name));
        this.filterChanged();
      },
    }, name);
    byId('chips').append(
      ...RowTypes.map((type) => chip(this.filter.types, type, { 'data-type': type })),
      element('span', { class: 'divider', 'aria-hidden': 'true' }),
      ...Outcomes.map((outcome) => chip(this.filter.outcomes, outcome, { 'data-outcome': outcome })));
  }

  filterChanged() {
    this.list.toTop();
    this.schedule();
  }

  clearFilter() {
    this.filter.clear();
    byId('filter').value = '';
    for (const chip of byId('chips').querySelectorAll('.chip')) chip.setAttribute('aria-pressed', 'false');
    this.filterChanged();
  }

  // Keys

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest('textarea') && event.key !== 'Escape') return;
    const writing = event.target === byId('filter');
    if (event.key === 'Escape') this.escape(writing);
    else if (writing && event.key !== 'ArrowDown') return;
    else if (!this.navigate(event)) return;
    event.preventDefault();
  }

  escape(writing) {
    if (writing) {
      byId('filter').value = '';
      this.filter.text = '';
      this.filterChanged();
      byId('events').focus();
    } else this.panel.close();
  }

  /// True when the key was one of ours.
  navigate(event) {
    const inControl = event.target.closest('button, select, summary, a');
    const inPanel = event.target.closest('.panel');
    switch (event.key) {
      case '/': byId('filter').focus(); return true;
      case ' ':
        if (inControl) return false;
        this.pause(!this.paused);
        return true;
      case 'Enter':
        if (inControl || !this.list.selected) return false;
        this.openItem(this.list.selected);
        return true;
      case 'ArrowDown': case 'ArrowUp': case 'PageDown': case 'PageUp': case 'Home': case 'End':
        if (inPanel || event.target.closest('select')) return false;
        this.move(event.key);
        return true;
      default: return false;
    }
  }

  move(key) {
    const page = this.list.pageLength;
    const steps = {
      ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity,
    };
    byId('events').focus({ preventScroll: true });
    const item = this.list.move(steps[key]);
    if (item && this.panel.item) this.panel.show(item);
    this.schedule();
  }
}

new Page().start();

"""##

    /// What who is not logged in sees, served as /login.
    static let loginHTML = ##"""
<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>Log in · Tributary workspace</title>
  <link rel="icon" type="image/svg+xml" href="/icon.svg">
  <link rel="stylesheet" href="/style.css">
  <script src="/login.js" type="module"></script>
</head>
<body class="door">
  <main class="login">
    <h1>Tributary</h1>
    <form method="post" action="/login">
      <label for="token">Admin token</label>
      <input id="token" name="token" type="password" autocomplete="current-password" required autofocus
        spellcheck="false" aria-describedby="problem help">
      <p id="problem" class="problem" role="alert"><!-- problem --></p>
      <button class="button" type="submit">Log in</button>
    </form>
    <p id="help" class="help">The workspace showed its token when it was started for the first time. When it is lost,
      stop the workspace and make another one: <code>tributary token reset</code></p>
  </main>
</body>
</html>

"""##

    /// Its program, served as /login.js.
    static let loginJS = ##"""
// Logs in with a token that came behind the number sign of the address, where no server and no log sees it.

/// The token of the address; nothing when there is none, or a broken one.
function tokenOfAddress() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return '';
  }
}

function logIn() {
  const token = tokenOfAddress();
  if (!token) return;
  history.replaceState(null, '', '/login');
  document.getElementById('token').value = token;
  document.forms[0].submit();
}

// An address that is pasted while the page is open changes only what is behind the sign: nothing is loaded again.
addEventListener('hashchange', logIn);
logIn();

"""##

    /// Its icon, served as /icon.svg.
    static let iconSVG = ##"""
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 28 28" fill="none" stroke="#2f7fe0" stroke-width="3" stroke-linecap="round">
  <path d="M4 3c0 8 10 6 10 14M24 3c0 8-10 6-10 14" opacity="0.6"/>
  <path d="M14 3v22"/>
</svg>

"""##
}
