// The lists of the workspace, limited to the source, the name and the conditions of the page's address.

import { queryOf } from './conditions.js';
import { Limits } from './limits.js';
import { Workspace } from './workspace.js';

export class Lists {
  constructor(filter) {
    this.filter = filter;
  }

  /// The query that limits an answer to the chosen source.
  scope(separator) {
    return this.filter.writeKey ? `${separator}writeKey=${encodeURIComponent(this.filter.writeKey)}` : '';
  }

  /// One part of the workspace's lists, oldest first, and whether there is more before it. With conditions, `before` is the
  /// place down to which the server looked, and `left` is how many older events there are at most.
  async page(position) {
    if (this.filter.conditions.length) return this.search(position);
    const lists = await Promise.all(this.requests(`?order=desc&limit=${Limits.page}${position}${this.scope('&')}`));
    const full = lists.filter((list) => list.length === Limits.page);
    // The lists are complete only down to the newest end of a list that was cut.
    const horizon = Math.max(0, ...full.map((list) => list.at(-1).record.sequence));
    const entries = lists.flat()
      .filter((entry) => entry.record.sequence >= horizon)
      .sort((one, other) => one.record.sequence - other.record.sequence);
    return { entries, more: full.length > 0 };
  }

  /// The server cannot search dropped events and signals, so they are left out.
  async search(position) {
    const { records, next, left } = await Workspace.page(this.searched('desc', position), 'events');
    const entries = records.map((entry) => ({ ...entry, kind: 'stored' })).reverse();
    return { entries, more: next !== null, before: next ?? undefined, left };
  }

  /// The events behind a place that meet the conditions, oldest first.
  async since(sequence) {
    const found = [];
    for (let next = String(sequence); next !== null;) {
      const page = await Workspace.page(this.searched('asc', `&after=${next}`), 'events', { isQuiet: true });
      found.push(...page.records);
      next = page.next;
    }
    return found;
  }

  searched(order, position) {
    const { only, conditions } = this.filter;
    return `/api/events?order=${order}&limit=${Limits.page}${position}${this.scope('&')}${only?.query ?? ''}${queryOf(conditions)}`;
  }

  requests(query) {
    const list = async (kind, path, name) => (await Workspace.records(path, name)).map((entry) => ({ ...entry, kind }));
    const { only } = this.filter;
    // The server cannot search dropped events and signals by name.
    if (only) return [list('stored', `/api/events${query}${only.query}`, 'events')];
    return [list('stored', `/api/events${query}`, 'events'), list('trace', `/api/drops${query}`, 'drops'),
      list('signal', `/api/signals${query}`, 'signals')];
  }
}
