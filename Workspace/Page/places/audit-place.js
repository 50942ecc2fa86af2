// The changes that administrators made, newest first.

import { JSONTree, TimeTable } from '../parts/details.js';
import { element } from '../parts/elements.js';
import { begin } from '../parts/guard.js';
import { member } from '../api/json.js';
import { Limits } from '../api/limits.js';
import { button, choice, nothing, part } from '../parts/parts.js';
import { Address } from './places.js';
import { textual } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

export class AuditPlace {
  static isOfAllSources = true;

  constructor(root, surroundings) {
    Object.assign(this, { root, surroundings });
    this.entries = element('ol', { class: 'entries' });
    this.more = button('Show older entries', () => this.read(), { id: 'older-entries' });
  }

  async start() {
    const sources = this.surroundings.sources.map((source) => [source.writeKey, source.name || source.writeKey]);
    const filter = choice([['', 'All sources'], ...sources], Address.get('of'), {
      'aria-label': 'Entries of', change: (event) => this.choose(event.target.value),
    });
    this.root.replaceChildren(part('Audit', [filter], this.entries, this.more));
    await this.read();
  }

  choose(writeKey) {
    Address.set({ of: writeKey });
    this.entries.replaceChildren();
    this.next = undefined;
    begin(() => this.read());
  }

  async read() {
    const scope = Address.get('of') ? `&writeKey=${encodeURIComponent(Address.get('of'))}` : '';
    const before = this.next ? `&before=${this.next}` : '';
    const page = await Workspace.page(`/api/audit?limit=${Limits.auditEntries}${before}${scope}`, 'entries');
    this.next = page.next;
    this.more.hidden = !page.next;
    this.entries.append(...page.records.map(AuditPlace.entry));
    if (!this.entries.children.length) {
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
    const details = member(node, 'details');
    const line = element('div', { class: 'entry-line' },
      element('time', { datetime: record.at }, TimeTable.long(Date.parse(record.at))),
      element('strong', {}, record.action), element('span', {}, AuditPlace.who(record)),
      element('code', {}, textual(record.writeKey)));
    return element('li', { class: 'entry' }, line,
      details?.entries?.length ? new JSONTree(details, 1).draw() : undefined);
  }
}
