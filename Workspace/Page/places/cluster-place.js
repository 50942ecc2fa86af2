// The cluster: whether it needs attention, its nodes, the partitions of its log, and its settings.

import { element, on } from '../parts/elements.js';
import { begin } from '../parts/guard.js';
import { ClusterInterval, Limits } from '../api/limits.js';
import { LineChart } from '../charts/line-chart.js';
import { LiveTable } from '../parts/live-table.js';
import { button, nothing, part } from '../parts/parts.js';
import { isNode } from './places.js';
import { sum } from '../charts/series.js';
import { clock, count, instant, plural, span } from '../parts/text.js';
import { presence } from '../api/presence.js';
import { Workspace } from '../api/workspace.js';

const Label = 'Waiting records';
const Figures = ['Nodes that answer', 'Partitions', Label, 'All stored until'];

/// Time of day without parts of a second.
function time(milliseconds) {
  return clock(milliseconds).slice(0, 8);
}

/// A sentence with a list below it, which is read aloud when it changes.
class Verdict {
  constructor(id) {
    this.root = element('div', { id, role: 'status' });
  }

  show(outcome, text, list = []) {
    const key = JSON.stringify([outcome, text, list]);
    if (this.key === key) return;
    this.key = key;
    this.root.replaceChildren(element('div', { class: 'note', 'data-outcome': outcome }, element('p', {}, text),
      list.length ? element('ul', {}, ...list.map((one) => element('li', {}, one))) : undefined));
  }
}

/// How many records waited at each look, oldest first. A look that failed and a time without looks leave a gap.
class WaitingHistory {
  names = [];
  values = [];

  add(value, at = Date.now()) {
    this.names.push(time(at));
    this.values.push(value);
    if (this.names.length > Limits.clusterLooks) {
      this.names.shift();
      this.values.shift();
    }
  }

  /// Leaves a gap, because the page stops looking for a while.
  interrupt() {
    if (this.values.length && this.values.at(-1) !== null) this.add(null);
  }

  get series() {
    return [{ label: Label, values: this.values }];
  }
}

export class ClusterPlace {
  static isOfAllSources = true;

  constructor(root) {
    this.root = root;
    this.verdict = new Verdict('verdict');
    this.settings = new Verdict('settings');
    this.values = Figures.map(() => element('dd'));
    this.nodes = new LiveTable(
      ['Node', 'Does', 'Version', 'Partitions', 'Takeovers', 'Repeated blocks', 'Alarms'], 'Nodes');
    this.partitions = new LiveTable(['Partition', 'Owner', 'State', Label, 'Stored records', 'All stored until'], 'Partitions');
    this.history = new WaitingHistory();
    this.leaving = new AbortController();
    this.chart = new LineChart([], this.history.series, { tick: (name) => name, on: 'at' });
    this.pause = button('Pause', () => this.pauseOrGoOn(), { 'aria-pressed': 'false' });
  }

  async start() {
    if (!isNode()) {
      this.root.replaceChildren(nothing('This workspace is one machine',
        'A cluster shows its nodes and the partitions of its log here.'));
      return;
    }
    this.details = element('div', { hidden: true }, part('Nodes', [], this.nodes.root),
      part('Settings', [], this.settings.root), part('What waits', [], element('p', { class: 'note' },
        'Records of the log that are not in the store yet, in the last five minutes while this place was open.'),
      this.chart.root), part('Partitions', [], this.partitions.root));
    this.figures = element('dl', { class: 'figures', hidden: true }, ...Figures.map((name, index) => (
      element('div', {}, element('dt', {}, name), this.values[index]))));
    this.root.replaceChildren(part('Cluster', [this.pause], this.verdict.root, this.figures), this.details);
    this.chart.root.classList.add('low');
    on(document, 'visibilitychange', () => this.stillnessChanged(), { signal: this.leaving.signal });
    await this.look();
  }

  /// Call it when the place is left.
  close() {
    clearTimeout(this.timer);
    this.leaving.abort();
    this.chart.close();
  }

  // Looking

  /// Whether to stop looking: the place is out of sight, or the reader paused it.
  get isStill() {
    return document.hidden || this.isPaused || !this.verdict.root.isConnected;
  }

  pauseOrGoOn() {
    this.isPaused = !this.isPaused;
    this.pause.setAttribute('aria-pressed', this.isPaused);
    this.stillnessChanged();
  }

  stillnessChanged() {
    if (this.isStill) {
      clearTimeout(this.timer);
      this.history.interrupt();
    } else begin(() => this.look());
  }

  /// Looks now, and then again and again.
  async look() {
    if (this.isLooking || this.isStill) return;
    clearTimeout(this.timer);
    this.isLooking = true;
    const answer = await ClusterPlace.ask();
    this.isLooking = false;
    if (answer.cluster) this.show(answer.cluster);
    else this.showFailure(answer.error);
    if (!this.isStill) this.timer = setTimeout(() => begin(() => this.look()), ClusterInterval);
  }

  static async ask() {
    try {
      const signal = AbortSignal.timeout(Limits.clusterPatience);
      // Each look comes by itself, so it shows no progress.
      const cluster = JSON.parse(await Workspace.text('/api/cluster', { signal, isQuiet: true }));
      presence.answered(Date.now());
      return { cluster };
    } catch (error) {
      return { error: error.name === 'TimeoutError' ? new Error('it does not answer') : error };
    }
  }

  // Showing

  show(cluster) {
    this.known = Date.now();
    const asked = cluster.nodes.find((node) => node.id === cluster.answeredBy)?.name;
    if (cluster.problems.length) this.verdict.show('failed', 'The cluster needs attention:', cluster.problems);
    else {
      this.verdict.show('delivered', 'Nothing needs attention: every partition has an owner that answers, the log never went '
        + `back, and ${asked} follows the settings.`);
    }
    this.nodes.show(cluster.nodes.map((node) => ClusterPlace.node(node, node.id === cluster.answeredBy)));
    this.partitions.show(cluster.partitions.map((one) => ClusterPlace.partition(one, instant(cluster.at))));
    this.showSettings(cluster.settings, asked);
    const waiting = sum(cluster.partitions.map((one) => one.waiting));
    this.showFigures(cluster, waiting);
    this.showWaiting(waiting);
  }

  /// The last known state stays in sight.
  showFailure(error) {
    const before = this.known ? ` What is below was so at ${time(this.known)}.` : '';
    this.verdict.show('failed', `The cluster cannot be asked now: ${error.message}. The page asks again by itself.${before}`);
    this.showWaiting(null);
  }

  showWaiting(value) {
    this.history.add(value);
    this.chart.show(this.history.names, this.history.series);
    if (!this.known || !this.details.hidden) return;
    for (const one of [this.figures, this.details]) one.hidden = false;
    begin(() => this.chart.open());
  }

  showFigures({ nodes, partitions, at }, waiting) {
    const times = partitions.map((one) => instant(one.confirmedAt));
    const oldest = times.every(Number.isFinite) ? Math.min(...times) : NaN;
    const values = [count(nodes.length), count(partitions.length), count(waiting), ClusterPlace.ago(instant(at) - oldest)];
    values.forEach((value, index) => { this.values[index].textContent = value; });
  }

  static node(node, isAsked) {
    const does = [node.isCoordinator ? 'coordinates' : '', node.isOutdated ? 'waits for its upgrade' : '',
      isAsked ? 'answers this page' : ''].filter(Boolean).join(', ');
    return {
      isCurrent: isAsked,
      cells: [node.name, does || '–', node.version, count(node.partitions), count(node.takeovers), count(node.repeated),
        node.alarms ? { text: count(node.alarms), outcome: 'failed' } : '0'],
    };
  }

  static partition(one, at) {
    const state = one.answers ? 'owner answers' : one.owner ? 'owner does not answer' : 'no owner';
    return {
      cells: [String(one.partition), one.owner || '–', { text: state, outcome: one.answers ? 'delivered' : 'failed' },
        count(one.waiting), count(one.stored), ClusterPlace.ago(at - instant(one.confirmedAt))],
    };
  }

  /// How long ago a time was, in whole seconds, because owners report it about once a second.
  static ago(milliseconds) {
    return Number.isFinite(milliseconds) ? `${span(Math.max(1, Math.round(milliseconds / 1000)) * 1000)} ago` : '–';
  }

  showSettings(settings, name) {
    if (!settings) return;
    const changes = `${plural(settings.applied, 'change')} applied`;
    const [outcome, text] = {
      starting: ['changed', `${name} has not reached the log of the settings since it started. It serves apps with the settings `
        + `that it has: ${changes}.`],
      following: ['delivered', `${name} follows the settings of the cluster: ${changes}.`],
      away: ['failed', `${name} cannot use the log of the settings: ${settings.reason}. It serves apps with the settings that it `
        + `has (${changes}), and refuses changes.`],
      outdated: ['failed', `${name} does not follow the settings: ${settings.reason}. It serves apps with the settings that it `
        + `has (${changes}), and goes on from there after its upgrade.`],
      diverged: ['failed', `${name} does not follow the settings any more: ${settings.reason}. It keeps those that it has `
        + `(${changes}) until it starts again.`],
    }[settings.state] || ['changed', `${settings.state}: ${changes}.`];
    this.settings.show(outcome, text);
  }
}
