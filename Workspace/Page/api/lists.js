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

  /// The same with conditions, which the server judges. A dropped event has the members of its trace, such as `event` and `userId`.
  async search(position) {
    const pages = [];
    // One after the other, because searches take turns.
    for (const list of this.searched()) {
      const page = await Workspace.page(this.address(list, 'desc', position), list.name); // eslint-disable-line no-await-in-loop
      pages.push({ ...page, kind: list.kind });
    }
    const stopped = pages.filter(({ next }) => next !== null);
    // The lists are complete only down to the newest place at which a search stopped.
    const horizon = Math.max(0, ...stopped.map(({ next }) => Number(next)));
    const entries = pages.flatMap(({ kind, records }) => records.map((entry) => ({ ...entry, kind })))
      .filter(({ record }) => record.sequence >= horizon).sort((one, other) => one.record.sequence - other.record.sequence);
    const left = pages.reduce((sum, page) => sum + page.left, 0);
    return { entries, more: stopped.length > 0, before: stopped.length ? String(horizon) : undefined, left };
  }

  /// The entries behind a place that meet the conditions, oldest first.
  async since(sequence) {
    const found = [];
    for (const list of this.searched()) {
      for (let next = String(sequence); next !== null;) {
        const page = await Workspace.page(this.address(list, 'asc', `&after=${next}`), list.name, { isQuiet: true }); // eslint-disable-line no-await-in-loop
        found.push(...page.records.map((entry) => ({ ...entry, kind: list.kind })));
        next = page.next;
      }
    }
    return found.sort((one, other) => one.record.sequence - other.record.sequence);
  }

  /// The lists that are searched. The server finds events alone by their type and name.
  searched() {
    const { only } = this.filter;
    return [{ kind: 'stored', name: 'events', more: only?.query ?? '' },
      ...(only ? [] : [{ kind: 'trace', name: 'drops', more: '' }, { kind: 'signal', name: 'signals', more: '' }])];
  }

  address({ name, more }, order, position) {
    return `/api/${name}?order=${order}&limit=${Limits.page}${position}${this.scope('&')}${more}${queryOf(this.filter.conditions)}`;
  }

  requests(query) {
    const list = async (kind, path, name) => (await Workspace.records(path, name)).map((entry) => ({ ...entry, kind }));
    // A reader without personal data sees events only.
    const other = (kind, path, name) => list(kind, path, name).catch((error) => {
      if (error.status === 403) return [];
      throw error;
    });
    const { only } = this.filter;
    // The server cannot search dropped events and signals by name.
    if (only) return [list('stored', `/api/events${query}${only.query}`, 'events')];
    return [list('stored', `/api/events${query}`, 'events'), other('trace', `/api/drops${query}`, 'drops'),
      other('signal', `/api/signals${query}`, 'signals')];
  }
}
