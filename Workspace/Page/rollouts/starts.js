// Starts a filter rule from an event of the catalog or from the conditions of a list, and a plugin from an event of the catalog.

import { Draft } from './drafts.js';
import { Messages } from '../parts/messages.js';
import { Address } from '../places/places.js';
import { formConditions, newForm, ruleOf } from '../forms/rules.js';
import { shortened } from '../parts/text.js';
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

  /// A rule for the events that the address names or has conditions for; undefined when it has neither. The address forgets
  /// them, so that loading the page again makes no other rule.
  static takeRule(destination, conditions) {
    const [type, name] = [Address.get('type'), Address.get('name')];
    Address.set({ type: '', name: '', where: '' });
    if (type) return Starts.rule(destination, name || type, Starts.conditions(type, name));
    if (!conditions.length) return undefined;
    const known = formConditions(conditions);
    if (!known) Messages.said('A rule has no such conditions: a key with a point in it, or an order of texts.', 'failed');
    const more = conditions.length > 1 ? ` and ${conditions.length - 1} more` : '';
    return known && Starts.rule(destination, `${shortened(conditions[0].words, 50)}${more}`, known);
  }

  static conditions(type, name) {
    const conditions = [{ path: 'type', comparison: '=', value: JSON.stringify(type) }];
    if (name) conditions.push({ path: type === 'track' ? 'event' : 'name', comparison: '=', value: JSON.stringify(name) });
    return conditions;
  }

  static rule(destination, name, conditions) {
    return ruleOf({ ...newForm(), name: name.slice(0, 60), destination, conditions });
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
