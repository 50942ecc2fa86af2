// Waits for the first event of a source, and says how to send it.

import { element } from '../parts/elements.js';
import { note, part } from '../parts/parts.js';
import { Address } from '../places/places.js';
import { Snippets } from './snippets.js';
import { textual } from '../parts/text.js';
import { Connection, Workspace } from '../api/workspace.js';

export class FirstEvent {
  static current; // the one on the page

  constructor(source) {
    this.source = source;
    this.state = element('div', { id: 'first-event', role: 'status' });
  }

  /// The part of a source that has no event yet; nothing for another one.
  static async part(source) {
    // The place is drawn again. End the stream of the former drawing.
    FirstEvent.end();
    const scope = `writeKey=${encodeURIComponent(source.writeKey)}`;
    const { stored } = await Workspace.json(`/api/stats?${scope}`);
    if (stored) return undefined;
    FirstEvent.current = new FirstEvent(source);
    return FirstEvent.current.draw();
  }

  /// Ends the stream of the last drawing.
  static end() {
    FirstEvent.current?.connection?.close();
    FirstEvent.current = undefined;
  }

  draw() {
    this.state.replaceChildren(element('p', { class: 'note waiting' }, 'Waiting for the first event …'));
    this.connection = new Connection({
      changed: (state) => (state === 'live' ? this.look() : undefined),
      received: (kind, text) => (kind === 'event' ? this.came(JSON.parse(text)) : undefined),
    });
    this.connection.open();
    return part(`Send the first event to ${this.source.name || this.source.writeKey}`, [], this.state, new Snippets(this.source.writeKey).draw());
  }

  /// An event may have come before the stream was open.
  async look() {
    const [newest] = await Workspace.records(
      `/api/events?order=desc&limit=1&writeKey=${encodeURIComponent(this.source.writeKey)}`, 'events');
    if (newest) this.came(newest.record);
  }

  came(record) {
    if (this.hasCome || record.writeKey !== this.source.writeKey) return;
    this.hasCome = true;
    this.connection.close();
    const line = note(`The first event is here: ${textual(record.name) || record.type}. `, 'delivered');
    line.append(element('a', { href: Address.of('/', this.source.writeKey) }, 'Open events'));
    this.state.replaceChildren(line);
  }
}
