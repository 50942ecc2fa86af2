// What went wrong: rejected events, destinations in trouble, limits that were reached.

import { element } from './elements.js';
import { Limits } from './limits.js';
import { Rejections } from './notices.js';
import { button, note, nothing, part, table } from './parts.js';
import { Address } from './places.js';
import { count, plural } from './text.js';
import { Workspace } from './workspace.js';

/// What to do about rejected events, by the code of the rejection.
const Advice = {
  not_an_object: 'Each event of a batch is a JSON object. Look at the program that makes the batch.',
  event_too_large: 'Send less in the properties of this event.',
  unknown_type: 'An event is of type track, identify, screen, page, group or alias.',
  no_user_anon_id: 'A client adds the anonymousId by itself. A program that sends events adds a userId or an anonymousId.',
  no_event_name: 'A track event needs a name in its member event.',
  no_group_id: 'A group event needs a groupId.',
  no_alias_ids: 'An alias event needs a userId and a previousId.',
  bad_message_id: 'A messageId is a text. Leave it out, and the workspace makes one.',
  bad_field: 'A member of the event has another type than clients send. The reason names it.',
};

export class ProblemsPlace {
  constructor(root, surroundings) {
    Object.assign(this, { root, surroundings, source: surroundings.source });
    this.rejected = element('div');
    this.more = button('Show older events', () => this.readRejected(), { id: 'older-rejected', hidden: true });
  }

  async start() {
    const [ready, destinations] = await Promise.all([
      ProblemsPlace.ready(), Workspace.json(Workspace.source(this.source.writeKey, 'destinations')),
    ]);
    this.root.replaceChildren(this.server(ready), this.destinations(destinations.destinations),
      part('Rejected events', [], this.rejected, this.more));
    await this.readRejected();
  }

  /// What `/ready` answers, also when it answers that the server is not ready.
  static async ready() {
    const response = await fetch('/ready', { cache: 'no-store' });
    return response.json();
  }

  server(ready) {
    const works = ready.status === 'ready';
    const words = works ? 'The server takes events.'
      : 'The server does not take events now. Apps keep their events and send them later.';
    const waiting = ready.waitingRequests
      ? `${plural(ready.waitingRequests, 'request')} (${plural(ready.waitingBytes, 'byte')}) are safe on the disk, and `
        + 'wait to be indexed. Lists show their events a moment later.'
      : 'No request waits to be indexed.';
    return part('Server', [], note(works ? `${words} ${waiting}` : `${words} The server says: ${ready.status}. ${waiting}`,
      works ? 'delivered' : 'failed'));
  }

  destinations(destinations) {
    const troubled = destinations.filter((one) => one.state === 'waiting' || one.deadLetters);
    const link = element('a', { class: 'button', href: Address.of('/destinations') }, 'Open destinations');
    if (!troubled.length) return part('Destinations', [link], note('No destination has a problem.', 'delivered'));
    return part('Destinations', [link], table(['Destination', 'Reason', 'Waiting', 'Dead letters'], troubled.map((one) => [
      one.name, one.reason || 'some events were refused', count(one.waiting), count(one.deadLetters),
    ]), { label: 'Destinations with problems' }));
  }

  async readRejected() {
    const before = this.next ? `&before=${this.next}` : '';
    const scope = `&writeKey=${encodeURIComponent(this.source.writeKey)}`;
    const page = await Workspace.page(
      `/api/rejected?order=desc&limit=${Limits.rejected}${before}${scope}`, 'rejected');
    this.next = page.next;
    this.more.hidden = !page.next;
    const entries = page.records.map(({ record, raw }) => {
      const entry = Rejections.entry(record, raw);
      if (Advice[record.code]) entry.querySelector('.reason').after(note(Advice[record.code]));
      return entry;
    });
    this.rejected.append(...entries);
    if (!this.rejected.children.length) {
      this.rejected.replaceChildren(nothing('No event was rejected',
        `The workspace stored every event that apps of ${this.source.name || this.source.writeKey} sent.`));
    }
  }
}
