// Sources: their keys, limits, and the settings that apps get.

import { CaptureForm } from '../forms/capture-form.js';
import { TimeTable } from '../parts/details.js';
import { byId, copyButton, element } from '../parts/elements.js';
import { readJSON } from '../api/json.js';
import { settingsLosses } from '../parts/losses.js';
import { Messages } from '../parts/messages.js';
import { button, choice, field, nothing, note, part, table, textInput } from '../parts/parts.js';
import { askBeforeLoss, confirmed } from '../parts/questions.js';
import { FirstEvent } from '../events/first-event.js';
import { Address, drawPlaces } from './places.js';
import { missingSource } from './surroundings.js';
import { count, plural } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

export class SourcesPlace {
  static isOfAllSources = true;

  constructor(root, surroundings, reload) {
    Object.assign(this, { root, surroundings, reload });
    this.administers = surroundings.may('administer');
  }

  /// Call it when the place is left.
  close() {
    FirstEvent.end();
  }

  async start() {
    const { sources, source } = this.surroundings;
    const rows = sources.map((one) => this.row(one, one === source));
    const list = rows.length
      ? table(['Source', 'Write key', 'Live plugins', 'Filter rules', 'Created'], rows, { label: 'Sources' })
      : nothing('There is no source yet', 'A source is one app with its write key. Make the first one below.');
    const parts = [part('Sources', [], list, this.administers && this.surroundings.seesAll ? this.newSource() : undefined)];
    if (!source && sources.length) parts.push(missingSource(Address.get('source'), sources));
    if (source) {
      const [server, first] = await Promise.all([Workspace.json('/api/server'), FirstEvent.part(source)]);
      parts.push(first, this.keys(source), SourcesPlace.plan(source), this.policy(source, server),
        this.consent(source), SourcesPlace.retention(server), this.captures(source), this.settings(source), this.removal(source));
    }
    this.root.replaceChildren(...parts.filter(Boolean));
  }

  static plan(source) {
    const link = element('a', { class: 'button', href: Address.of('/plan', source.writeKey) }, 'Open the plan');
    return part('Tracking plan', [link], note(source.plannedEvents ? `${plural(source.plannedEvents, 'event')} planned.`
      : 'Nothing is planned yet: a plan says which events the app should send, and the workspace counts the events that differ.'));
  }

  row(source, chosen) {
    const cells = [
      element('a', { href: Address.of('/sources', source.writeKey) }, source.name || source.writeKey),
      element('code', {}, source.writeKey),
      source.livePlugins === null ? 'none' : `version ${source.livePlugins}`, count(source.filters),
      TimeTable.long(Date.parse(source.createdAt)),
    ];
    cells.attributes = { 'data-current': String(chosen) };
    return cells;
  }

  /// Chooses a source, which the links to the other places follow.
  choose(writeKey) {
    Address.set({ source: writeKey });
    drawPlaces();
  }

  newSource() {
    const name = textInput('', { id: 'new-source', required: true, maxlength: '100' });
    return element('form', {
      class: 'line-form', submit: (event) => {
        event.preventDefault();
        return this.make(event.submitter, name.value);
      },
    }, field('Name of a new source', name), element('button', { class: 'button', type: 'submit' }, 'Make source'));
  }

  /// Makes a source, and shows how to send its first event.
  async make(pressed, name) {
    await this.change(pressed, async () => {
      const source = await Workspace.send('POST', '/api/sources', { name });
      this.choose(source.writeKey);
      return `The source ${source.name} has the write key ${source.writeKey}.`;
    });
    byId('first-event')?.scrollIntoView({ block: 'center' });
  }

  /// Carries out a change, shows the result, and reads everything again.
  async change(pressed, work) {
    let said;
    const done = await Messages.during(pressed, async () => { said = await work(); });
    if (!done) return;
    await this.reload();
    if (said) Messages.said(said);
  }

  // Keys

  keys(source) {
    const rows = source.keys.map((key) => [
      element('code', {}, key.key), key.name, TimeTable.long(Date.parse(key.createdAt)),
      key.revokedAt ? `revoked ${TimeTable.long(Date.parse(key.revokedAt))}` : this.revokeButton(source, key),
    ]);
    return part(`Keys of ${source.name || source.writeKey}`,
      [copyButton(() => source.writeKey, 'Copy write key')],
      table(['Key', 'Name', 'Created', ''], rows, { label: 'Keys' }), this.administers ? this.newKey(source) : undefined);
  }

  revokeButton(source, key) {
    if (!this.administers) return 'valid';
    return button('Revoke', async (event) => {
      const yes = await confirmed({
        title: `Revoke ${key.key}?`, action: 'Revoke', word: key.key,
        text: 'Apps that send with this key are refused from now on, and the key can never be used again.',
      });
      if (!yes) return;
      const path = `${Workspace.source(source.writeKey, 'keys')}/${encodeURIComponent(key.key)}`;
      await this.change(event.target, async () => {
        await Workspace.remove(path);
        return `The key ${key.key} is revoked.`;
      });
    }, { class: 'button small' });
  }

  newKey(source) {
    const name = textInput('', { id: 'new-key', maxlength: '100' });
    return element('form', {
      class: 'line-form', submit: (event) => {
        event.preventDefault();
        return this.change(event.submitter, async () => {
          const key = await Workspace.send('POST', Workspace.source(source.writeKey, 'keys'), { name: name.value });
          return `The key ${key.key} is valid now. Revoke the old one when no app uses it any more.`;
        });
      },
    }, field('Name of another key', name, 'For example the app version that uses it.'),
    element('button', { class: 'button', type: 'submit' }, 'Add key'));
  }

  // Policy

  policy(source, { countries }) {
    const { quota, ip } = source.policy;
    const number = (value, id) => textInput(value === null ? '' : String(value), {
      id, inputmode: 'numeric', pattern: '[0-9]*', placeholder: 'no limit', disabled: !this.administers,
    });
    const day = number(quota.eventsPerDay, 'events-per-day');
    const second = number(quota.requestsPerSecond, 'requests-per-second');
    const address = choice([['asSent', 'As the app sends it'], ['keep', 'Store it'],
      ['truncate', 'Store it without its last part'], ['drop', 'Do not store it']], ip,
    { id: 'ip', disabled: !this.administers });
    const country = choice([['auto', 'Unless addresses are not stored'], ['connection', 'Of the event, or of the connection'],
      ['sent', 'Only of the event'], ['none', 'No country']], source.policy.country, { id: 'country', disabled: !this.administers });
    const zone = textInput(source.policy.timeZone, { id: 'time-zone', list: 'time-zones', placeholder: 'UTC', disabled: !this.administers });
    const zones = element('datalist', { id: 'time-zones' },
      ...['UTC', ...(Intl.supportedValuesOf?.('timeZone') || [])].map((name) => element('option', { value: name })));
    const value = (input) => (input.value ? Number(input.value) : null);
    return part('Limits, addresses and days', [], element('form', {
      class: 'fields', submit: (event) => {
        event.preventDefault();
        return this.change(event.submitter, async () => {
          await Workspace.send('PUT', Workspace.source(source.writeKey, 'policy'), {
            quota: { eventsPerDay: value(day), requestsPerSecond: value(second) }, ip: address.value, country: country.value,
            timeZone: zone.value.trim() || null,
          });
          return 'The limits are stored. They hold for the next request.';
        });
      },
    }, field('Events a day', day), field('Requests a second', second), field('IP address of the device', address),
    field('Country of the address', country, countries ? '' : 'This server has no database of countries.'),
    field('Time zone of its days', zone, 'For Explore, the board and the catalog.'), zones,
    this.administers ? element('button', { class: 'button', type: 'submit' }, 'Store limits') : undefined));
  }

  // Consent

  consent(source) {
    const { unsaid, gpcRefuses } = source.policy.consent;
    const disabled = !this.administers;
    const rule = choice([['forward', 'They get them'], ['hold', 'They get them when somebody sends them'],
      ['drop', 'They never get them']], unsaid, { id: 'unsaid-consent', disabled });
    const refuses = textInput(gpcRefuses.join(', '), { id: 'gpc-refuses', placeholder: 'none', disabled });
    return part('Consent', [], note('Each destination of the server can need consent categories. Here is what holds where an '
      + 'event leaves it open.'), element('form', {
      class: 'fields', submit: (event) => {
        event.preventDefault();
        return this.change(event.submitter, async () => {
          const names = refuses.value.split(',').map((name) => name.trim()).filter(Boolean);
          await Workspace.send('PUT', Workspace.source(source.writeKey, 'policy'),
            { consent: { unsaid: rule.value, gpcRefuses: names } });
          return 'The rules for consent are stored.';
        });
      },
    }, field('Events that say nothing about consent', rule, 'Only for destinations that need categories.'),
    field('Global Privacy Control refuses', refuses, 'Categories, separated by commas.'),
    this.administers ? element('button', { class: 'button', type: 'submit' }, 'Store rules') : undefined));
  }

  // Retention

  static retention({ retainDays, endangeredDays }) {
    const words = retainDays === null ? 'Events of all sources are kept for ever.'
      : `Events of all sources are kept ${plural(retainDays, 'day')}, besides today, and are then deleted by the day.`;
    const later = endangeredDays ? ` Until ${endangeredDays.from} (UTC) more days are kept, because the number was higher before.` : '';
    return part('How long events are kept', [], note(`${words}${later} Who runs the server decides with serve --retain-days.`));
  }

  // Signals and health reports

  captures(source) {
    const form = new CaptureForm(source.policy, !this.administers);
    const store = (event) => {
      event.preventDefault();
      return this.change(event.submitter, async () => {
        await Workspace.send('PUT', Workspace.source(source.writeKey, 'policy'), form.value);
        return 'The switches are stored. Apps get them with their next look at the settings.';
      });
    };
    const button = this.administers
      ? element('button', { class: 'button', type: 'submit' }, 'Store switches') : undefined;
    return part('Signals and health reports of devices', [], form.draw(store, button));
  }

  // Settings of device-mode destinations

  settings(source) {
    const input = element('textarea', {
      id: 'integrations', class: 'rules-input', rows: '8', spellcheck: 'false', disabled: !this.administers,
      'aria-label': 'Settings of destinations on the device, as JSON',
    });
    input.value = JSON.stringify(source.integrations, undefined, 2);
    const path = Workspace.source(source.writeKey, 'integrations');
    const save = async (event) => this.change(event.target, async () => {
      const change = SourcesPlace.settingsChange(source.integrations, readJSON(input.value));
      await askBeforeLoss({
        title: 'Replace the settings?', losses: settingsLosses(await Workspace.json(path), change), action: 'Store settings',
      });
      await Workspace.send('PUT', path, change);
      return 'The settings are stored. Apps get them with their next look at the settings.';
    });
    return part('Destinations on the device', [this.administers ? button('Store settings', save) : undefined],
      note('Each member is a destination that runs inside the app, with its settings. A destination without settings '
        + 'stays off.'), input);
  }

  /// The change from the stored settings to the reader's. The HTTP interface replaces the named destinations, so
  /// the change also takes out destinations that the text does not have any more.
  static settingsChange(before, wanted) {
    // The server says what is wrong with it.
    if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted)) return wanted;
    const gone = Object.keys(before).filter((name) => !Object.hasOwn(wanted, name)).map((name) => [name, null]);
    return { ...wanted, ...Object.fromEntries(gone) };
  }

  // Removal

  removal(source) {
    if (!this.administers) return undefined;
    const remove = async (event) => {
      let losses;
      if (!await Messages.during(event.target, async () => { losses = await SourcesPlace.losses(source); })) return;
      const yes = await confirmed({
        title: `Remove ${source.name || source.writeKey}?`, action: 'Remove for ever', word: source.writeKey,
        text: 'Only a backup can bring this back:', losses,
      });
      if (!yes) return;
      await this.change(event.target, async () => {
        const gone = await Workspace.remove(`/api/sources/${encodeURIComponent(source.writeKey)}`);
        this.choose('');
        return `The source is removed, with ${plural(gone.events, 'event')}.`;
      });
    };
    return part('Remove this source', [button('Remove …', remove, { class: 'button danger' })],
      note('All its events are deleted, too.'));
  }

  /// The losses when the source is removed.
  static async losses({ writeKey, keys, filters }) {
    const [figures, { destinations }, { versions }] = await Promise.all([
      Workspace.json(`/api/stats?writeKey=${encodeURIComponent(writeKey)}`),
      Workspace.json(Workspace.source(writeKey, 'destinations')), Workspace.json(Workspace.source(writeKey, 'live-plugins')),
    ]);
    const names = (list) => (list.length ? ` (${list.join(', ')})` : '');
    return [
      `${plural(figures.stored, 'event')}, and the signals and dead letters of the source.`,
      `${plural(keys.length, 'key')}${names(keys.map(({ key }) => key))}. Apps that send with them are refused.`,
      `${plural(destinations.length, 'destination')}${names(destinations.map(({ name }) => name))}, and what waits for them.`,
      `${plural(versions.length, 'version')} of live plugins, ${plural(filters, 'filter rule')}, the tracking plan and all settings.`,
    ];
  }
}
