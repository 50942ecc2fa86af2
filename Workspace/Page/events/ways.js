// The delivery of events: for each destination of the workspace, whether it got an event, and why not.

import { TimeTable } from '../parts/details.js';
import { element } from '../parts/elements.js';
import { note, table } from '../parts/parts.js';
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
      TimeTable.long(Date.parse(event.timestamp || event.receivedAt)), event.name || event.type, Ways.statement(event.consent),
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
      element('table', { class: 'times ways' }, ...event.destinations.map((way) => element('tr', {},
        element('th', { scope: 'row' }, way.name), element('td', {}, Ways.outcome(way)),
        element('td', {}, way.needs.length ? `needs ${way.needs.join(', ')}` : '')))));
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
