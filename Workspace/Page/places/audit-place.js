// The changes that administrators made, newest first.

import { JSONTree, TimeTable } from '../parts/details.js';
import { element } from '../parts/elements.js';
import { begin } from '../parts/guard.js';
import { member, scalar, textOf } from '../api/json.js';
import { Limits } from '../api/limits.js';
import { button, choice, note, nothing, part, textInput } from '../parts/parts.js';
import { Address } from './places.js';
import { count, textual } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

/// The values of an object, each `[path, text]`. A list counts its values.
function facts(node, path = '') {
  if (node.kind === 'object' && node.entries.length) {
    return node.entries.flatMap(([key, child]) => facts(child, path ? `${path}.${key}` : key));
  }
  if (node.kind === 'array') return [[path, node.items.every((item) => item.text || textOf(item)) && node.items.length < Limits.auditValues
    ? node.items.map((item) => textOf(item) ?? item.text).join(', ') || 'none' : `${count(node.items.length)} values`]];
  return [[path, textOf(node) ?? (node.kind === 'object' ? 'none' : scalar(node))]];
}

export class AuditPlace {
  static isOfAllSources = true;

  constructor(root, surroundings) {
    Object.assign(this, { root, surroundings });
    this.all = [];
    this.entries = element('ol', { class: 'entries' });
    this.summary = element('div', { role: 'status' });
    this.more = button('Show older entries', (event) => this.readMore(event.target), { id: 'older-entries' });
  }

  async start() {
    const sources = this.surroundings.sources.map((source) => [source.writeKey, source.name || source.writeKey]);
    const filter = choice([['', 'All sources'], ...sources], Address.get('of'), {
      'aria-label': 'Entries of', change: (event) => this.choose(event.target.value),
    });
    const find = textInput(Address.get('find'), {
      id: 'find', 'aria-label': 'Find in the entries', placeholder: 'Find an action, a name, a value', input: () => {
        Address.set({ find: find.value });
        this.draw();
      },
    });
    this.root.replaceChildren(part('Audit', [find, filter], this.summary, this.entries, this.more));
    await this.read();
  }

  choose(writeKey) {
    Address.set({ of: writeKey });
    this.all = [];
    this.next = undefined;
    begin(() => this.read());
  }

  async readMore(pressed) {
    pressed.disabled = true;
    await this.read().finally(() => { pressed.disabled = false; });
  }

  async read() {
    const scope = Address.get('of') ? `&writeKey=${encodeURIComponent(Address.get('of'))}` : '';
    const before = this.next ? `&before=${this.next}` : '';
    const page = await Workspace.page(`/api/audit?limit=${Limits.auditEntries}${before}${scope}`, 'entries');
    this.next = page.next;
    this.all.push(...page.records);
    this.draw();
  }

  /// Shows the entries that have all words of the search.
  draw() {
    const terms = Address.get('find').toLowerCase().split(/\s+/).filter(Boolean);
    const found = this.all.filter(({ record, raw }) => {
      const text = `${raw} ${AuditPlace.who(record)}`.toLowerCase();
      return terms.every((term) => text.includes(term));
    });
    this.more.hidden = !this.next;
    this.more.textContent = terms.length ? 'Look in older entries' : 'Show older entries';
    const where = this.next ? `the newest ${count(this.all.length)}` : `all ${count(this.all.length)}`;
    this.summary.replaceChildren(...(terms.length ? [note(`${count(found.length)} of ${where} entries have these words.`)] : []));
    if (this.all.length) this.entries.replaceChildren(...found.map(AuditPlace.entry));
    else {
      this.entries.replaceChildren(nothing('Nothing was changed yet',
        'Deployments, settings, keys and tokens appear here with the name of who changed them.'));
    }
  }

  static who(entry) {
    if (entry.by === 'server') return 'the server';
    const name = entry.token ? entry.token : 'the admin token';
    return entry.by === 'login' ? `${name}, on the page` : name;
  }

  static entry({ record, node }) {
    const line = element('div', { class: 'entry-line' },
      element('time', { datetime: record.at }, TimeTable.long(Date.parse(record.at))),
      element('strong', {}, record.action), element('span', {}, AuditPlace.who(record)),
      element('code', {}, textual(record.writeKey)));
    return element('li', { class: 'entry' }, line, ...AuditPlace.details(member(node, 'details')));
  }

  /// The details of a change in words. The whole JSON text is there for who needs it.
  static details(details) {
    if (!details?.entries?.length) return [];
    const all = facts(details);
    const shown = all.slice(0, Limits.auditValues).map(([name, value]) => element('div', {},
      element('dt', {}, name), element('dd', {}, value)));
    const isNested = all.length > shown.length || details.entries.some(([, { kind }]) => kind === 'object' || kind === 'array');
    const text = isNested ? element('details', { class: 'by-day' }, element('summary', {}, 'As JSON'), new JSONTree(details, 1).draw()) : undefined;
    return [element('dl', { class: 'values' }, ...shown), text].filter(Boolean);
  }
}
