// The lists of the workspace, limited to the source and the name of the page's address.

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

  /// One part of the workspace's lists, oldest first, and whether there is more before it.
  async page(position) {
    const lists = await Promise.all(this.requests(`?order=desc&limit=${Limits.page}${position}${this.scope('&')}`));
    const full = lists.filter((list) => list.length === Limits.page);
    // The lists are complete only down to the newest end of a list that was cut.
    const horizon = Math.max(0, ...full.map((list) => list.at(-1).record.sequence));
    const entries = lists.flat()
      .filter((entry) => entry.record.sequence >= horizon)
      .sort((one, other) => one.record.sequence - other.record.sequence);
    return { entries, more: full.length > 0 };
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
