// The delivery of events: for each destination of the workspace, whether it got an event, and why not.

import { TimeTable } from '../parts/details.js';
import { element } from '../parts/elements.js';
import { Messages } from '../parts/messages.js';
import { button, note, table } from '../parts/parts.js';
import { Address, Reader } from '../places/places.js';
import { Workspace } from '../api/workspace.js';

/// The number of a person's events that are shown.
const shown = 20;

export class Ways {
  /// Of the newest events of a person. `scope` is the query that names the source.
  static async ofPerson({ id, isAnonymous, scope }) {
    const query = `${isAnonymous ? 'anonymousId' : 'userId'}=${encodeURIComponent(id)}`;
    const { events } = await Workspace.json(`/api/consent?${query}&limit=${shown}${scope}`);
    if (!events.length) return note('No event of this id is stored.');
    const names = events[0].destinations.map(({ name }) => name);
    const rows = events.map((event) => [
      TimeTable.long(Date.parse(event.timestamp || event.receivedAt)),
      element('a', { href: Address.ofEvent(event.messageId, `?${new URLSearchParams({ source: event.writeKey })}`) }, event.name || event.type),
      Ways.statement(event.consent),
      ...names.map((name) => Ways.outcome(event.destinations.find((way) => way.name === name))),
    ]);
    return element('div', {},
      names.length ? undefined : note('The source has no destination, so nothing leaves the workspace.'),
      table(['Time', 'Event', 'The user allowed', ...names], rows, { label: 'Where the newest events went' }));
  }

  /// Of one event.
  static async ofEvent(messageId) {
    const { events: [event] } = await Workspace.json(`/api/consent?messageId=${encodeURIComponent(messageId)}`);
    if (!event.destinations.length) return note('The source has no destination on the server.');
    return element('div', {}, note(`Consent: ${Ways.statement(event.consent)}.`),
      element('ul', { class: 'delivery' }, ...event.destinations.map((way) => element('li', { 'data-name': way.name },
        element('a', { href: Address.ofDestination(way.name, event.writeKey) }, way.name), Ways.outcome(way),
        way.needs.length ? element('span', { class: 'needs' }, `needs ${way.needs.join(', ')}`) : undefined, Ways.next(way, event)))));
  }

  /// A link to the rule that holds the event back, or a button that sends it again.
  static next(way, { writeKey, sequence }) {
    if (way.cause === 'filter') {
      return element('a', { class: 'button small', href: Address.ofRule(way.rule, writeKey) }, 'Open the filter');
    }
    if (way.cause !== 'refused' || !Reader.may('administer')) return undefined;
    const path = `${Workspace.source(writeKey, 'destinations')}/${encodeURIComponent(way.name)}/dead-letters/retry`;
    const again = button('Send again', (event) => Messages.during(event.target, async () => {
      await Workspace.send('POST', path, { sequences: [sequence] });
      again.replaceWith(note('It is sent again now.'));
    }), { class: 'button small', 'aria-label': `Send again to ${way.name}` });
    return again;
  }

  static statement({ preferences, globalPrivacyControl, since }) {
    const said = preferences ? Object.entries(preferences).map(([name, allowed]) => `${name} ${allowed ? 'yes' : 'no'}`) : [];
    if (globalPrivacyControl) said.push('asks for Global Privacy Control');
    if (!said.length) return preferences ? 'no category' : 'not said';
    return `${said.join(', ')}${since ? ` (since ${TimeTable.long(Date.parse(since))})` : ''}`;
  }

  static outcome(way) {
    if (!way) return '';
    const text = [way.state === 'sent' || !way.reason ? way.state : way.reason,
      way.changedSince && way.state === 'not sent' ? 'by the present rules' : ''].filter(Boolean).join(', ');
    const outcome = { sent: 'delivered', waiting: 'changed', 'not sent': 'dropped' }[way.state];
    return element('span', { class: 'way', 'data-outcome': outcome }, text);
  }
}
