// Where the events of a source ended, by version of its app.

import { element } from '../parts/elements.js';
import { Messages } from '../parts/messages.js';
import { button, note, part, table } from '../parts/parts.js';
import { PluginHealth } from './plugin-health.js';
import { count, plural, textual } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

const Days = 7;

/// The account of the last days, as `/api/ledger` answers it. Stored events are counted when the reader wants that, because it
/// takes a while where there are many.
export class Ledger {
  constructor(source) {
    this.source = source;
    this.root = element('div', { id: 'ledger' });
  }

  /// - Parameter stored: whether stored events are counted.
  async start(stored = false) {
    const since = new Date(Date.now() - (Days - 1) * 86_400_000).toISOString().slice(0, 10);
    const query = new URLSearchParams({ writeKey: this.source.writeKey, since, stored: String(stored) });
    this.answer = await Workspace.json(`/api/ledger?${query}`);
    this.draw();
  }

  /// Nothing before a device has reported.
  draw() {
    const { all, apps, cover } = this.answer;
    if (!all.reports) {
      this.root.replaceChildren();
      return;
    }
    const isJoined = all.stored !== null;
    const compare = isJoined ? undefined : button('Compare with stored events', (event) => this.compare(event.target));
    const columns = ['App', 'Tracked', 'Delivered', 'By plugins', 'By rules', 'Lost', 'Kept back', 'Waiting', 'Not known',
      ...(isJoined ? ['Not heard of', 'Heard of'] : [])];
    const rows = apps.map((app) => Ledger.row(app, isJoined));
    this.root.replaceChildren(part(`Where events ended, in the last ${Days} days`, [compare],
      table(columns, rows, { label: 'Where events ended' }), ...Ledger.losses(apps), ...Ledger.notes(all),
      ...PluginHealth.missing(cover)));
  }

  async compare(pressed) {
    await Messages.during(pressed, () => this.start(true));
  }

  static title({ version, kind }) {
    return { none: 'without a version', unknown: 'not known', others: 'others' }[kind] || textual(version);
  }

  static row(app, isJoined) {
    return [
      Ledger.title(app), count(app.tracked), count(app.delivered), count(app.dropped.plugins), count(app.dropped.rules),
      Ledger.marked(Ledger.lost(app)), count(app.deleted + app.notChosen), Ledger.signed(app.waiting),
      Ledger.signed(app.unexplained - app.unbegun),
      ...(isJoined ? [count(app.unheard), app.heardShare === null ? '–' : Ledger.percent(app.heardShare)] : []),
    ];
  }

  /// Lost on devices, or refused by the server.
  static lost({ lost, refused }) {
    return Object.values(lost).reduce((sum, number) => sum + number, refused);
  }

  static marked(number) {
    return number ? element('span', { class: 'verdict', 'data-outcome': 'failed' }, count(number)) : count(number);
  }

  static signed(number) {
    return number > 0 ? `+${count(number)}` : count(number);
  }

  static percent(share) {
    return `${Number((share * 100).toPrecision(2))} %`;
  }

  /// The events that versions lose, the most first.
  static losses(apps) {
    const rows = apps.flatMap((app) => [
      ...Object.entries(app.lost).map(([reason, number]) => [Ledger.title(app), 'all', `lost: ${reason}`, number, app.tracked]),
      ...(app.refused ? [[Ledger.title(app), 'all', 'refused by the server', app.refused, app.tracked]] : []),
      ...app.drops.map((drop) => [Ledger.title(app), textual(drop.event) || 'others',
        `${drop.part} ${textual(drop.name) || '(others)'}`, drop.dropped, drop.events]),
    ]);
    if (!rows.length) return [];
    const shown = rows.sort((one, other) => other[3] - one[3]).slice(0, 20).map(([app, event, by, number, all]) => [
      app, event, by, count(number), all >= number && all ? Ledger.percent(number / all) : '–']);
    return [element('h3', {}, 'What is lost, and where'),
      table(['App', 'Event', 'By', 'Events', 'Share'], shown, { label: 'What is lost' })];
  }

  static notes(all) {
    const notes = [note(`By ${plural(all.reports, 'report')} of ${plural(all.devices, 'device')}: a device is one start of the `
      + 'app. Anybody who has the write key can invent reports.')];
    const say = (number, words) => { if (number) notes.push(note(`${count(number)} ${words}`)); };
    if (all.heardShare !== null) {
      notes.push(note(`Reports tell of ${Ledger.percent(all.heardShare)} of the stored events. The others are not yet heard of.`));
    }
    say(all.claimed, 'deliveries are in reports and not stored: they were deleted since, or the reports are invented.');
    say(all.unexplained, 'tracked events have no known end.');
    say(all.unbegun, 'ends have no known beginning, as after an app that was killed.');
    say(all.missing, 'reports are missing between others.');
    say(all.partial, 'reports are of earlier clients, which say less.');
    return notes;
  }
}
