// Finds the deployed live plugins and filter rules that touch the events of a name, by a trial on the newest stored
// ones.

import { element } from '../parts/elements.js';
import { Limits } from '../api/limits.js';
import { note, part, table } from '../parts/parts.js';
import { Address } from '../places/places.js';
import { titleOfRule } from '../forms/rules.js';
import { count, plural } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

export class Touches {
  constructor(source, { type, name }) {
    Object.assign(this, { source, type, name });
    this.result = element('div', { id: 'touches' }, note('Trying the deployed plugins and rules on the newest events …'));
  }

  part(actions) {
    return part('What touches it', actions, this.result);
  }

  query(values) {
    const query = new URLSearchParams({ ...values, type: this.type });
    if (this.name !== null) query.set('name', this.name);
    return query;
  }

  async read() {
    try {
      const [plugins, rules] = await Promise.all([this.plugins(), this.rules()]);
      this.result.replaceChildren(...Touches.draw(plugins, rules));
    } catch (error) {
      this.result.replaceChildren(note(`This cannot be tried now: ${error.message}.`, 'failed'));
    }
  }

  /// The effect of the deployed plugins; undefined when none is deployed.
  async plugins() {
    const { writeKey } = this.source;
    const { versions, forAll } = await Workspace.json(Workspace.source(writeKey, 'live-plugins'));
    const deployed = versions.find((version) => version.version === forAll && version.bytes > 0);
    if (!deployed) return undefined;
    const path = `/projects/${encodeURIComponent(writeKey)}/live-plugins/${forAll}.js`;
    const text = await Workspace.text(path, { headers: { Accept: 'text/javascript' } });
    const query = this.query({ last: Limits.touchedEvents });
    return Workspace.answer(`${Workspace.source(writeKey, 'live-plugins/try')}?${query}`, text, 'POST', 'text/javascript');
  }

  /// The effect of the deployed rules; undefined when none is deployed.
  async rules() {
    const { writeKey } = this.source;
    const rules = await Workspace.json(Workspace.source(writeKey, 'filters'));
    if (!rules.length) return undefined;
    const query = this.query({ last: Limits.touchedEvents });
    return Workspace.send('POST', `${Workspace.source(writeKey, 'filters/dry-run')}?${query}`, rules);
  }

  static draw(plugins, rules) {
    const rows = [];
    for (const plugin of plugins?.plugins || []) {
      if (plugin.touched) rows.push(['Live plugin', Touches.link('/live-plugins', plugin.name), `changes or drops ${count(plugin.touched)}`]);
    }
    for (const rule of rules?.rules || []) {
      const words = [rule.dropped ? `drops ${count(rule.dropped)}` : '', rule.changed ? `changes ${count(rule.changed)}` : '']
        .filter(Boolean).join(', ');
      if (words) rows.push(['Filter rule', Touches.link('/filters', titleOfRule(rule.name, rule.rule)), `${words} for ${rule.destination}`]);
    }
    const events = plugins?.events ?? rules?.events ?? 0;
    if (!plugins && !rules) return [note('No live plugin and no filter rule is deployed.')];
    const said = note(`Tried on the newest ${plural(events, 'stored event')} of this name.`);
    return rows.length ? [said, table(['Kind', 'Name', 'What it does'], rows, { label: 'What touches it' })]
      : [said, note('No deployed plugin and no rule changes or drops one of them.')];
  }

  static link(path, text) {
    return element('a', { href: Address.of(path) }, text);
  }
}
