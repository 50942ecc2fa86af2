// The path of one event, and its picture.

import { drawing } from '../parts/elements.js';
import { ExactJSON, member, textOf } from '../api/json.js';
import { CloudDestination, Limits } from '../api/limits.js';
import { clock, instant, shortened, span } from '../parts/text.js';

/// The known path of an event from the call in the app to the workspace.
export class Path {
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

  /// A trace may name the plugin that dropped the event and have no stage for it.
  addMissingDrop(droppedBy) {
    if (!droppedBy || this.steps.some((step) => step.outcome === 'dropped')) return;
    const step = new Step(droppedBy);
    step.outcome = 'dropped';
    this.steps.push(step);
    this.known = true;
  }

  /// The steps before the path splits into the destinations.
  get trunk() {
    return this.steps.filter((step) => !step.lane && step.stage !== 'after');
  }

  get after() {
    return this.steps.filter((step) => !step.lane && step.stage === 'after');
  }

  /// The ways to the destinations by name. The way to the workspace is the first.
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

/// The effect of one plugin on the event.
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

  /// The destination of the step; undefined for a step that all destinations share.
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
export class PathPicture {
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

  /// Each outcome has its own shape, so that no meaning depends on colour alone.
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

  /// The picture in words, for readers who do not see it.
  sentence() {
    const steps = this.path.steps.map((step) => `${step.stage} ${step.plugin} ${step.outcome}`);
    const end = this.path.stored ? 'stored' : 'not stored';
    return ['Path of the event: tracked', ...steps, end].join(', ');
  }
}
