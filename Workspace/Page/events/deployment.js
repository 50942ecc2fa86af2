// The deployed live plugins and filter rules of a source.

import { JSONTree, TimeTable } from '../parts/details.js';
import { DryRunReport } from '../rollouts/dry-run.js';
import { byId, code, copyButton, element, on, section } from '../parts/elements.js';
import { ExactJSON, pretty, readJSON } from '../api/json.js';
import { Limits } from '../api/limits.js';
import { note } from '../parts/parts.js';
import { instant, plural, shellWord } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

/// The two kinds of deployment: the bundle of live plugins and the filter rules of a source.
export class Deployment {
  constructor(panel) {
    this.panel = panel;
    this.bundles = { current: null, versions: [] };
    this.rules = undefined;
    this.health = { versions: [], rollout: null, filterRollout: null };
    on(byId('bundle'), 'click', () => this.showBundles());
    on(byId('rules'), 'click', () => this.showRules());
  }

  async refresh(writeKey) {
    if (!writeKey) return;
    const [bundles, rules, health] = await Promise.all([
      Workspace.json(Workspace.source(writeKey, 'live-plugins'), { isQuiet: true }),
      Workspace.text(Workspace.source(writeKey, 'filters'), { isQuiet: true }),
      Workspace.json(`/api/live-plugins/health?writeKey=${encodeURIComponent(writeKey)}`, { isQuiet: true }),
    ]);
    this.writeKey = writeKey;
    this.bundles = bundles;
    this.health = health;
    this.rules = ExactJSON.parse(rules);
    const number = this.rules.items?.length || 0;
    Deployment.label('bundle', bundles.current === null ? 'no live plugins' : `live plugins v${bundles.current}`);
    Deployment.label('rules', number ? plural(number, 'filter rule') : 'no filter rules');
  }

  /// Shows a text, and highlights it for a moment when it replaces another.
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
      element('td', {}, element('code', { title: version.sha256 }, String(version.sha256 || '').slice(0, 12))),
      element('td', { class: 'health' }, this.healthOf(version.version))));
    const head = element('tr', {}, ...['Version', 'Size', 'Deployed', 'SHA-256', 'On devices, 24 hours']
      .map((name) => element('th', { scope: 'col' }, name)));
    this.open('Live plugins', rows.length
      ? element('div', {}, ...Deployment.rolloutNote(this.health.rollout), element('table', { class: 'versions' }, head, ...rows))
      : element('p', { class: 'note' }, 'No bundle of live plugins is deployed for this source.'),
    'tributary plugin deploy plugins.js');
  }

  /// The devices' reports about a version, in a few words.
  healthOf(number) {
    const version = (this.health.versions || []).find((one) => one.version === String(number));
    if (!version?.events) return version?.reports ? plural(version.reports, 'report') : '';
    const share = (part) => `${Math.round((part || 0) * 10000 / version.events) / 100} %`;
    return `${plural(version.events, 'event')}, ${share(version.faulty)} with a fault, ${share(version.dropped)} dropped`;
  }

  /// The progress of the roll-out with a plan; nothing when there was none.
  static rolloutNote(rollout) {
    if (!rollout) return [];
    const state = { running: 'is rolled out', paused: 'is paused', finished: 'was rolled out',
      rolledBack: 'was rolled back', ended: 'was ended by hand' }[rollout.state] || rollout.state;
    return [element('p', { class: 'note rollout' },
      `v${rollout.version} ${state}, at ${rollout.percentage} % of devices: ${rollout.reason}.`)];
  }

  showRules() {
    const some = this.rules?.items?.length;
    const rules = some ? new JSONTree(this.rules, Limits.jsonDepth).draw()
      : element('p', { class: 'note' }, 'No filter rule is deployed for this source.');
    this.open('Filter rules', element('div', {}, ...Deployment.rolloutNote(this.health.filterRollout), rules),
    'tributary filter deploy rules.json', new RuleTrial(this.writeKey, this.rules).draw());
  }

  open(title, content, command, ...more) {
    const line = [command, `  --server ${location.origin}`, `  --write-key ${shellWord(this.writeKey || 'KEY')}`]
      .join(' \\\n');
    this.panel.item = undefined;
    this.panel.open(element('h2', {}, title), section(`Source ${this.writeKey || ''}`, content),
      ...more,
      section('Deploy from a terminal', code(line, 'Command'), copyButton(() => line)));
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
    on(this.button, 'click', () => this.run());
    return section('Try rules on stored events', this.input, this.result, this.button);
  }

  async run() {
    try {
      readJSON(this.input.value);
    } catch (error) {
      this.result.replaceChildren(note(`The rules are not JSON: ${error.message}`, 'failed'));
      return;
    }
    this.button.disabled = true;
    this.result.replaceChildren(note('Trying the rules …'));
    try {
      const answer = await Workspace.answer(Workspace.source(this.writeKey, 'filters/dry-run'), this.input.value);
      this.result.replaceChildren(...new DryRunReport(answer).draw());
    } catch (error) {
      this.result.replaceChildren(note(error.message, 'failed'));
    }
    this.button.disabled = false;
  }
}
