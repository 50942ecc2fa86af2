// Starts a filter rule or a plugin from an event of the catalog.

import { Draft } from './drafts.js';
import { Address } from '../places/places.js';
import { newForm, ruleOf } from '../forms/rules.js';
import { Workspace } from '../api/workspace.js';

/// A name as part of a name of JavaScript: `Order Completed` becomes `OrderCompleted`.
function className(text) {
  const words = text.split(/[^A-Za-z0-9]+/).filter(Boolean).map((word) => word[0].toUpperCase() + word.slice(1));
  const name = words.join('');
  return /^[A-Za-z]/.test(name) ? name.slice(0, 60) : `Event${name.slice(0, 60)}`;
}

export class Starts {
  constructor(source, { type, name }) {
    Object.assign(this, { source, type, name });
  }

  /// The address of the filters, with a new rule for these events.
  get filter() {
    const query = new URLSearchParams({ source: this.source.writeKey, type: this.type });
    if (this.name !== null) query.set('name', this.name);
    return `/filters?${query}`;
  }

  /// A rule for the events that the address names; undefined when it names none. The address forgets them, so that loading
  /// the page again makes no other rule.
  static takeRule(destination) {
    const type = Address.get('type');
    if (!type) return undefined;
    const name = Address.get('name');
    Address.set({ type: '', name: '' });
    const conditions = [{ path: 'type', comparison: '=', value: JSON.stringify(type) }];
    if (name) conditions.push({ path: type === 'track' ? 'event' : 'name', comparison: '=', value: JSON.stringify(name) });
    return ruleOf({ ...newForm(), name: `${name || type}`.slice(0, 60), destination, conditions });
  }

  /// Goes to the live plugins, with the deployed text and a new plugin after it.
  async plugin() {
    const { writeKey } = this.source;
    const { versions } = await Workspace.json(Workspace.source(writeKey, 'live-plugins'));
    const newest = versions.find((version) => version.bytes > 0);
    const path = `/projects/${encodeURIComponent(writeKey)}/live-plugins/${newest?.version}.js`;
    const before = newest ? `${(await Workspace.text(path, { headers: { Accept: 'text/javascript' } })).trimEnd()}\n\n` : '';
    Draft.keep(writeKey, before + this.stub());
    const query = new URLSearchParams({ source: writeKey, type: this.type });
    if (this.name !== null) query.set('name', this.name);
    Address.visit(`/live-plugins?${query}`);
  }

  stub() {
    const name = className(this.name ?? this.type);
    const member = this.type === 'track' ? 'event' : 'name';
    const guard = this.name === null ? [] : [`    if (event.${member} !== ${JSON.stringify(this.name)}) return event;`];
    return [
      `class ${name} extends LivePlugin {`,
      '  constructor() { super(LivePluginType.enrichment, null); }',
      '',
      `  ${this.type}(event) {`,
      ...guard,
      '    // Change the event here, or return null to drop it.',
      '    return event;',
      '  }',
      '}',
      '',
      `analytics.add(new ${name}());`,
      '',
    ].join('\n');
  }
}
