// Problems of all sources: a list, worst first, and below it the last 24 hours and the details of each problem.

import { Alerts } from '../problems/alerts.js';
import { TimeTable } from '../parts/details.js';
import { code, element } from '../parts/elements.js';
import { queryOf } from '../api/conditions.js';
import { ConditionsBar, conditionsHere } from '../parts/conditions-bar.js';
import { Limits } from '../api/limits.js';
import { Rejections } from '../events/notices.js';
import { Messages } from '../parts/messages.js';
import { button, choice, note, nothing, part, table } from '../parts/parts.js';
import { Address } from './places.js';
import { ProblemList, readSource, Wrong } from '../problems/problem-list.js';
import { Strips } from '../problems/strips.js';
import { count, plural, size } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

/// Advice about rejected events, by the code of the rejection.
const Advice = {
  not_an_object: 'Each event of a batch is a JSON object. Look at the program that makes the batch.',
  batch_too_costly: 'Send less in context and integrations of the batch, or fewer events in it.',
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
  static isOfAllSources = true;

  constructor(root, surroundings) {
    Object.assign(this, { root, all: surroundings.sources, alerts: new Alerts(surroundings) });
    this.list = element('div', { role: 'status' });
    this.strips = element('div', { id: 'strips' });
    this.details = element('div');
    this.rejected = element('div');
    this.more = button('Show older events', () => this.readRejected(), { id: 'older-rejected', hidden: true });
  }

  /// The sources that the reader wants to see; all unless the address names one.
  get sources() {
    const of = Address.get('of');
    return this.all.filter((source) => !of || source.writeKey === of);
  }

  get query() {
    const of = Address.get('of');
    return of ? `&writeKey=${encodeURIComponent(of)}` : '';
  }

  async start() {
    const scope = choice([['', 'All sources'], ...this.all.map((one) => [one.writeKey, one.name || one.writeKey])], Address.get('of'), {
      id: 'of', 'aria-label': 'Sources', change: () => {
        Address.set({ of: scope.value });
        return this.readAgain();
      },
    });
    const again = button('Look again', (event) => Messages.during(event.target, () => this.readAgain()));
    this.root.replaceChildren(part('Needs attention', [scope, again], this.list));
    await this.readStrips();
    await this.read();
    // The parts below the list come when it is complete, so that nothing moves.
    this.root.append(this.strips, this.alerts.root, this.details);
  }

  async readAgain() {
    await Promise.all([this.readStrips(), this.read()]);
  }

  async readStrips() {
    this.overview = await Strips.read(this.query.slice(1));
    this.strips.replaceChildren(this.overview ? this.overview.draw() : part('Last 24 hours', [], note('A cluster does not count half hours. The place of the cluster says how its nodes are.')));
  }

  async read() {
    const [server, firing, answers] = await Promise.all([Workspace.json('/api/server'), this.alerts.read(), this.readSources()]);
    const list = new ProblemList();
    list.alerts(firing);
    list.server(server);
    list.quotas(server.quotas, this.sources);
    for (const answer of answers) list.source(answer);
    const known = answers.filter((answer) => !answer.error);
    this.details.replaceChildren(...[this.server(server), this.quotas(server), ProblemsPlace.refused(server.refused),
      this.destinations(known), Strips.versions(known), this.devices(known),
      ProblemsPlace.named('rejected', part('Rejected events', [], new ConditionsBar().root, this.rejected, this.more)),
    ].filter(Boolean));
    this.next = undefined;
    this.rejected.replaceChildren();
    const { records, next } = await this.readRejected();
    list.rejected(records.map(({ record }) => record), Boolean(next), this.sources);
    this.list.replaceChildren(list.draw(), note(`Looked at ${TimeTable.short(Date.now())}: the server and ${plural(this.sources.length, 'source')}.`));
  }

  /// Some sources at a time, because there may be hundreds.
  async readSources() {
    const { sources } = this;
    const answers = [];
    let next = 0;
    const work = async () => {
      while (next < sources.length) {
        const index = next;
        next += 1;
        this.list.replaceChildren(note(`Looking at source ${index + 1} of ${sources.length} …`));
        answers[index] = await readSource(sources[index]);
      }
    };
    await Promise.all(Array.from({ length: Limits.problemRequests }, work));
    return answers;
  }

  /// Gives a part an address within the page.
  static named(id, element) {
    element.id = id;
    return element;
  }

  server(server) {
    const works = server.status === 'ready';
    const words = works ? 'The server takes events.' : 'The server does not take events now. Apps keep their events and '
      + `send them later. The server says: ${server.status}.`;
    const waiting = server.waitingRequests
      ? `${plural(server.waitingRequests, 'request')} (${size(server.waitingBytes)}) are safe on the disk, and `
        + 'wait to be indexed. Lists show their events a moment later.'
      : 'No request waits to be indexed.';
    return ProblemsPlace.named('server', part('Server', [], note(`${words} ${waiting}`, works ? 'delivered' : 'failed'), ...this.disk(server.disk), ...[this.overview?.disk].filter(Boolean),
      ...ProblemsPlace.countries(server), ...ProblemsPlace.endangeredDays(server), ...ProblemsPlace.missingDays(server), ...ProblemsPlace.unreadable(server)));
  }

  /// Days that a shorter retention is going to delete.
  static endangeredDays({ endangeredDays: danger }) {
    if (!danger) return [];
    const events = danger.events === null ? '' : ` with ${plural(danger.events, 'event')}`;
    return [note(`On ${danger.from} (UTC) the server deletes ${plural(danger.days, 'day')}${events}, ${danger.first} to ${danger.last}, `
      + `because it was started with --retain-days ${danger.retainDays}. That cannot be undone. To keep them, start it with `
      + `--retain-days ${danger.keptBy} before. To delete them at once, add --confirm-retain-days ${danger.retainDays}.`, 'failed')];
  }

  /// Days with missing files, which the server did not delete.
  static missingDays({ missingDays }) {
    if (!missingDays.length) return [];
    return [note(`The events of ${missingDays.length === 1 ? 'a day are' : `${plural(missingDays.length, 'day')} are`} missing, and this `
      + 'workspace did not delete them. Put the files of a backup back, or let tributary doctor --repair note that they are lost.',
    'failed'), code(missingDays.join('\n'), 'Missing days, in UTC')];
  }

  disk({ freeBytes, sizeBytes, dataBytes }) {
    if (!Number.isFinite(freeBytes) || !sizeBytes) return [];
    const isShort = freeBytes / sizeBytes < Limits.freeShare;
    const what = isShort ? ' Make room, or keep events for fewer days (serve --retain-days): on a full disk the server '
      + 'refuses events, and apps keep them.' : '';
    return [note(`The disk has ${size(freeBytes)} of ${size(sizeBytes)} left. The data takes ${size(dataBytes)}.${what}`,
      isShort ? 'failed' : undefined)];
  }

  /// The database that events get their country from; nothing on a server without one.
  static countries({ countries }) {
    if (!countries) return [];
    const words = `Events get their country from ${countries.type} of ${countries.built}.`;
    if (!countries.problem) return [note(words)];
    return [note(`${words} The file of serve --country-database is another one now, which cannot be used: ${countries.problem}.`, 'failed')];
  }

  /// Files that the server set aside because it cannot read them.
  static unreadable(server) {
    if (!server.unreadableFiles) return [];
    return [note(`${plural(server.unreadableFiles, 'file')} could not be read and ${server.unreadableFiles === 1 ? 'is' : 'are'} `
      + 'kept in the folder unreadable. Run tributary doctor: it says what they hold and what can be saved.', 'failed'),
    code(server.unreadable.join('\n'), 'Unreadable files')];
  }

  /// The events that sources with a quota sent today; nothing when no source has a quota.
  quotas(server) {
    if (!server.quotas.length) return undefined;
    const link = element('a', { class: 'button', href: Address.of('/sources') }, 'Open sources');
    const refused = server.quotas.some((quota) => quota.refusedRequests);
    return part('Quotas', [link], refused
      ? note('Apps beyond their quota keep their events and send them later.', 'failed')
      : note('No request was refused today.', 'delivered'),
    table(['Source', 'Events today, UTC', 'Limit', 'Refused requests'], server.quotas.map((quota) => [
      quota.writeKey, count(quota.events), quota.eventsPerDay === null ? 'no limit' : count(quota.eventsPerDay),
      count(quota.refusedRequests),
    ]), { label: 'Quotas' }));
  }

  /// Requests of clients that were not taken, with what was probably meant.
  static refused({ requests, others }) {
    if (!requests.length) return part('Refused requests', [], note('No request of a client was refused since the start.', 'delivered'));
    const more = others ? [note(`${plural(others, 'other request')} ${others === 1 ? 'was' : 'were'} refused, too.`)] : [];
    return ProblemsPlace.named('refused', part('Refused requests', [], note('The server did not take these requests. Most clients keep events that were refused and try again.', 'failed'),
      table(['Last', 'What is wrong', 'Reason', 'Key', 'Probably', 'Address', 'Client', 'Count'], requests.map((one) => [
        TimeTable.long(Date.parse(one.lastAt)), Wrong[one.kind] || one.kind, one.reason, one.key ? element('code', { class: 'whole' }, one.key) : '', one.guess || '',
        element('span', { class: 'whole' }, one.address), one.client, count(one.count),
      ]), { label: 'Refused requests' }), ...more));
  }

  destinations(answers) {
    const rows = answers.flatMap(({ source, facts }) => facts.filter(({ destination }) => destination.state === 'waiting'
      || destination.deadLetters).map(({ destination: one }) => [
      source.name || source.writeKey, element('a', { href: Address.ofDestination(one.name, source.writeKey) }, one.name),
      one.reason || 'some events were refused', count(one.waiting), count(one.deadLetters),
    ]));
    if (!rows.length) return part('Destinations', [], note('No destination is in trouble or has refused events.', 'delivered'));
    return part('Destinations', [], table(['Source', 'Destination', 'Reason', 'Waiting', 'Dead letters'], rows,
      { label: 'Destinations with problems' }));
  }

  /// Faults of live plugins that devices run now, and events that devices could not keep.
  devices(answers) {
    const current = (health) => health.versions.filter((version) => version.percentage);
    const faults = answers.flatMap(({ source, health }) => current(health).flatMap((version) => version.faults.map((fault) => [
      element('a', { href: Address.of('/live-plugins', source.writeKey) }, source.name || source.writeKey),
      `v${version.version}`, fault.plugin, fault.message, fault.line === undefined ? '' : String(fault.line), count(fault.reports),
    ])));
    const shown = faults.length ? [
      note('An event goes on unchanged behind a plugin that fails. Mend the plugin, or roll back.', 'failed'),
      table(['Source', 'Version', 'Plugin', 'Fault', 'Line', 'Reports'], faults, { label: 'Faults on devices' }),
    ] : [note('No device reported a fault of the live plugins that devices run now, in the last 24 hours.', 'delivered')];
    return part('Devices', [], ...shown, ...answers.flatMap((answer) => ProblemsPlace.reports(answer)));
  }

  /// Other reports of the devices of a source than faults.
  static reports({ source, health }) {
    const title = source.name || source.writeKey;
    const replaced = health.versions.filter((version) => !version.percentage && version.faults.length);
    const { withoutSettings, lost } = health.delivery;
    const losses = Object.entries(lost).map(([reason, number]) => `${count(number)} ${reason}`);
    return [
      replaced.length ? note(`${title}: versions that no device should run any more had faults: ${ProblemsPlace.names(replaced)}. They are `
        + 'under Live plugins.') : undefined,
      withoutSettings ? note(`${title}: ${plural(withoutSettings, 'event')} of new devices went without settings in the last 24 hours: the `
        + 'device got none in time, so filters, tracking plan and consent categories did not apply. An app can wait for settings: '
        + 'Configuration.requiresSettings(true).', 'failed') : undefined,
      losses.length ? note(`${title}: devices could not deliver events in the last 24 hours: ${losses.join(', ')}.`, 'failed') : undefined,
    ].filter(Boolean);
  }

  static names(versions) { return versions.map((version) => `v${version.version}`).join(', '); }

  async readRejected() {
    const before = this.next ? `&before=${this.next}` : '';
    const page = await Workspace.page(`/api/rejected?order=desc&limit=${Limits.rejected}${before}${this.query}${queryOf(conditionsHere())}`, 'rejected');
    this.next = page.next;
    this.more.hidden = !page.next;
    const entries = page.records.map(({ record, raw }) => {
      const entry = Rejections.entry(record, raw);
      if (Advice[record.code]) entry.querySelector('.reason').after(note(Advice[record.code]));
      return entry;
    });
    this.rejected.append(...entries);
    if (!this.rejected.children.length) {
      this.rejected.replaceChildren(conditionsHere().length
        ? nothing('No rejected event meets the conditions', page.next ? 'Older ones may.' : 'A condition has the path of the event, as it was sent.')
        : nothing('No event was rejected', 'The workspace stored every event that apps sent.'));
    }
    return page;
  }
}
