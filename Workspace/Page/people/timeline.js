// The timeline of one person: a line for each event, which opens to show the event's path.

import { JSONTree, StepList, TimeTable } from '../parts/details.js';
import { element, on } from '../parts/elements.js';
import { Item } from '../events/events.js';
import { Limits } from '../api/limits.js';
import { Panel } from '../events/panel.js';
import { Path } from '../events/path.js';
import { happened } from './person.js';
import { clock, padded, plural } from '../parts/text.js';
import { lengthOf, visitsOf } from './visits.js';

export class Timeline {
  constructor(person) {
    this.person = person;
  }

  /// The entries by day, newest first. Above the newest entry of each session stands the session.
  draw() {
    const { timeline } = this.person;
    const visits = visitsOf(timeline);
    const longest = Math.max(1, ...visits.map((visit) => visit.milliseconds));
    const begins = new Map(visits.map((visit) => [visit.entries[0], visit]));
    const list = element('div', { class: 'timeline' });
    let day;
    let entries;
    for (const entry of timeline) {
      const time = happened(entry);
      const name = Timeline.day(time);
      if (name !== day) {
        entries = element('ol', { class: 'entries' });
        list.append(element('h3', {}, name), entries);
        day = name;
      }
      if (begins.has(entry)) entries.append(this.visit(begins.get(entry), longest));
      entries.append(this.line(Timeline.item(entry), time));
    }
    return list;
  }

  /// A session: its length, its number of events, and a bar beside those of the other sessions.
  visit(visit, longest) {
    const device = this.person.devices.indexOf(visit.device);
    const words = `Session · ${lengthOf(visit.milliseconds)} · ${plural(visit.entries.length, 'event')}`
      + `${device < 0 ? '' : ` · device ${device + 1}`} · ${clock(visit.first)} to ${clock(visit.last)}`;
    return element('li', { class: 'visit' }, element('span', {}, words),
      element('meter', { class: 'visit-length', 'aria-hidden': 'true', min: '0', max: '1', value: String(visit.milliseconds / longest) }));
  }

  static item({ record, raw, list }) {
    return list === 'drops' ? Item.dropped(record, raw) : Item.stored(record, raw);
  }

  static day(time) {
    if (!Number.isFinite(time)) return 'Time not known';
    const date = new Date(time);
    return `${date.getFullYear()}-${padded(date.getMonth() + 1)}-${padded(date.getDate())}`;
  }

  line(item, time) {
    const device = this.person.devices.indexOf(item.anonymousId);
    const words = item.verdict;
    const details = element('details', { class: 'happening' }, element('summary', { class: 'entry-line' },
      element('time', { datetime: new Date(time || 0).toISOString() }, clock(time)),
      element('span', { class: 'label', 'data-type': item.type }, item.type),
      element('strong', {}, item.name || item.hint),
      element('span', { class: 'help' }, device < 0 ? '' : `device ${device + 1}`),
      words ? element('span', { class: 'verdict', 'data-outcome': words.outcome }, words.text) : undefined));
    on(details, 'toggle', () => {
      if (details.open && details.children.length === 1) details.append(...Timeline.details(item));
    });
    return element('li', { class: 'entry' }, details);
  }

  /// The event's path, its times, and its JSON text.
  static details(item) {
    let path;
    try {
      path = new Path(item);
    } catch (error) {
      return [element('p', { class: 'note' }, `Shown as text: ${error.message}.`),
        element('pre', { class: 'raw' }, item.raw || item.traceRaw)];
    }
    return [
      Panel.identity(item), path.known ? StepList.draw(path) : undefined,
      path.stored ? TimeTable.draw(path) : undefined, path.body ? new JSONTree(path.body, Limits.openDepth, path.stored).draw() : undefined,
    ].filter(Boolean);
  }
}
