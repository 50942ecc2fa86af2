// People: the users of the newest events, and the timeline of one person over all devices.

import { queryOf } from '../api/conditions.js';
import { ConditionsBar, conditionsHere } from '../parts/conditions-bar.js';
import { TimeTable } from '../parts/details.js';
import { element } from '../parts/elements.js';
import { Erasure } from '../people/erasure.js';
import { Finding } from '../people/finding.js';
import { Limits } from '../api/limits.js';
import { Messages } from '../parts/messages.js';
import { button, choice, field, note, nothing, part, table, textInput } from '../parts/parts.js';
import { Person, peopleSeenLately } from '../people/person.js';
import { Address } from './places.js';
import { Suppression } from '../people/suppression.js';
import { count, plural } from '../parts/text.js';
import { Timeline } from '../people/timeline.js';
import { Ways } from '../events/ways.js';

export class PeoplePlace {
  /// The conditions, above the place.
  static above() {
    return new ConditionsBar().root;
  }

  constructor(root, surroundings, reload) {
    Object.assign(this, { root, surroundings, reload, source: surroundings.source });
    this.conditions = queryOf(conditionsHere());
    this.finding = new Finding(this.source.writeKey, (id, isAnonymous) => this.link(id, isAnonymous));
    this.scope = `&writeKey=${encodeURIComponent(this.source.writeKey)}`;
  }

  /// Call it when the place is left.
  close() {
    this.finding.close();
  }

  async start() {
    const user = Address.get('user');
    const anonymous = Address.get('anonymous');
    const group = Address.get('group');
    if (group) await this.showGroup(group);
    else if (user || anonymous) await this.showPerson(new Person(user || anonymous, !user, this.scope, this.conditions));
    else await this.showLately();
  }

  /// The address of a person's timeline.
  static address(id, isAnonymous, writeKey) {
    const query = new URLSearchParams({ source: writeKey, [isAnonymous ? 'anonymous' : 'user']: id });
    return `/people?${query}`;
  }

  link(id, isAnonymous) {
    return element('a', { href: PeoplePlace.address(id, isAnonymous, this.source.writeKey) }, id);
  }

  search() {
    const isAnonymous = Boolean(Address.get('anonymous'));
    const kind = choice([['user', 'User id'], ['anonymous', 'Anonymous id']], isAnonymous ? 'anonymous' : 'user',
      { id: 'person-kind' });
    const id = textInput(Address.get('user') || Address.get('anonymous'), { id: 'person-id', required: true });
    return element('form', {
      class: 'line-form', role: 'search', submit: (event) => {
        event.preventDefault();
        const chosen = { user: '', anonymous: '', [kind.value]: id.value };
        Address.set({ source: this.source.writeKey, ...chosen });
        this.reload();
      },
    }, field('Find by', kind), field('Id', id, 'The whole id, as the app sends it.'),
    element('button', { class: 'button', type: 'submit' }, 'Find'));
  }

  // Groups

  groupLink(id) {
    const query = new URLSearchParams({ source: this.source.writeKey, group: id });
    return element('a', { href: `/people?${query}` }, id);
  }

  async showGroup(id) {
    const title = element('span', {}, 'Group ', element('bdi', {}, id));
    const members = await this.finding.members(id);
    this.root.replaceChildren(part(title, [
      element('a', { class: 'button', href: Address.of('/people') }, 'Everybody seen lately'),
    ], ...members));
  }

  /// The groups of the source; the server looks for them when the reader opens this part.
  groups() {
    const place = element('div', { id: 'groups-found' }, note('The groups that group events name, with their members.'));
    const show = button('Show groups', (event) => Messages.during(event.target,
      () => this.finding.showGroups(place, (id) => this.groupLink(id))), { id: 'show-groups' });
    return part('Groups', [show], place);
  }

  // Without a person

  async showLately() {
    const { people, events, left } = await peopleSeenLately(this.scope + this.conditions);
    const which = this.conditions ? ` that ${events === 1 ? 'meets' : 'meet'} the conditions` : '';
    const rest = left && events < Limits.peopleEvents ? ` The server did not look at ${plural(left, 'older event')}.` : '';
    const found = note(`${plural(people.length, 'id')} in the newest ${plural(events, 'event')} of ${this.name}${which}.${rest}`);
    const nobody = nothing('Nobody was seen yet', 'People appear here as soon as an app sends an event. ',
      element('a', { class: 'button', href: Address.of('/') }, 'Open events'));
    const list = people.length ? [
      found,
      table(['Id', 'Kind', 'Last event', 'Events'], people.map((person) => [
        this.link(person.id, person.isAnonymous), person.isAnonymous ? 'anonymous id' : 'user id',
        TimeTable.long(person.seen), count(person.events),
      ]), { label: 'People seen lately' }),
    ] : [this.conditions ? found : nobody];
    const text = Address.get('trait');
    const traits = this.finding.people(text, (chosen) => Address.set({ source: this.source.writeKey, trait: chosen }));
    this.root.replaceChildren(part('Find a person', [], traits.root, this.search()), part('Seen lately', [], ...list), this.groups(),
      ...this.surroundings.seesAll ? [await Suppression.list()] : []);
    if (text) await traits.show();
  }

  get name() {
    return this.source.name || this.source.writeKey;
  }

  // One person

  async showPerson(person) {
    this.suppression = new Suppression(person.id, person.isAnonymous);
    // The list of suppressed ids is that of the whole workspace.
    await Promise.all([person.start(), this.surroundings.seesAll ? this.suppression.start() : undefined]);
    this.person = person;
    this.draw();
  }

  draw() {
    const { person } = this;
    const kind = person.isAnonymous ? 'Anonymous id' : 'User';
    const title = element('span', {}, `${kind} `, element('bdi', {}, person.id));
    const parts = person.isUnknown ? [this.unknown(title)] : [
      part(title, this.actions(), ...[this.suppression.note].filter(Boolean), note(this.summary()), ...this.identity()),
      this.ways(), this.timeline(),
    ];
    this.root.replaceChildren(part('Find a person', [
      element('a', { class: 'button', href: Address.of('/people') }, 'Everybody seen lately'),
    ], this.search()), ...parts);
  }

  unknown(title) {
    if (this.conditions) {
      const older = this.person.hasOlder ? ' Older events were not looked at.' : '';
      return part(title, this.actions(), nothing('No event of this id meets the conditions', `Remove a condition above to see more.${older}`));
    }
    const other = this.person.isAnonymous ? 'Is it a user id?' : 'Is it an anonymous id?';
    return part(title, this.actions(), ...[this.suppression.note].filter(Boolean), nothing('No event of this id is stored',
      `Ids are compared as whole texts, with their case, and only in ${this.name}. ${other}`));
  }

  actions() {
    const { person } = this;
    const query = new URLSearchParams({ [person.isAnonymous ? 'anonymousId' : 'userId']: person.id,
      writeKey: this.source.writeKey });
    const erase = button('Erase …', (event) => this.erase(event.target), { class: 'button danger' });
    return [
      person.isUnknown ? undefined
        : element('a', { class: 'button', href: `/api/export?${query}`, download: 'events.ndjson' }, 'Export events'),
      this.surroundings.may('administer') && this.surroundings.seesAll ? this.suppression.button(() => this.reload()) : undefined,
      !person.isAnonymous && this.surroundings.may('administer') && this.surroundings.seesAll ? erase : undefined,
    ];
  }

  summary() {
    const shown = this.person.timeline;
    const events = shown.filter((entry) => entry.list === 'events').length;
    const drops = shown.length - events;
    const more = this.person.hasOlder ? 'the newest ' : '';
    if (this.conditions) {
      return `Below: ${more}${plural(events, 'event')} that ${events === 1 ? 'meets' : 'meet'} the conditions, and the traits, devices and groups in `
        + `${events === 1 ? 'it' : 'them'}. Events that were dropped on a device are not searched.`;
    }
    return `Below: ${more}${plural(events, 'event')} from ${plural(this.person.devices.length, 'device')}, and `
      + `${plural(drops, 'event')} that a plugin dropped on a device. `
      + `Drops are looked for among the newest ${count(Limits.personDrops)} of the source.`;
  }

  /// The known facts about the person: a table for each kind that has a value.
  identity() {
    const { person } = this;
    const code = (text) => element('code', {}, text);
    const kinds = [
      ['Traits', ['Trait', 'Newest value', 'Since'], person.traits
        .map(([name, value, time]) => [name, code(value), TimeTable.long(time)])],
      ['Devices', ['Device', 'Anonymous id'], person.devices
        .map((id, index) => [`device ${index + 1}`, this.link(id, true)])],
      ['Users', ['User of this device'], person.isAnonymous ? person.users.map((id) => [this.link(id, false)]) : []],
      ['Groups', ['Group', 'Traits of the group', 'Since'], person.groups
        .map(([name, value, time]) => [this.groupLink(name), value ? code(value) : '', TimeTable.long(time)])],
      ['Former ids', ['Former id', 'Now', 'Since'], person.aliases
        .map(([former, now, time]) => [this.link(former, false), now, TimeTable.long(time)])],
    ];
    return [element('div', { class: 'two' }, ...kinds.filter(([, , rows]) => rows.length)
      .map(([name, columns, rows]) => element('section', {}, element('h3', {}, name),
        table(columns, rows, { label: name }))))];
  }

  /// Which destinations got the newest events; the page asks for them when the reader opens this part.
  ways() {
    const place = element('div', {}, note('For each of the newest events and each destination of the workspace: whether it got '
      + 'the event, why not, and what the user had allowed by then.'));
    const show = button('Show', async (event) => {
      await Messages.during(event.target, async () => { place.replaceChildren(await Ways.ofPerson(this.person)); });
    }, { id: 'show-ways' });
    return part('Where events went', [show], place);
  }

  timeline() {
    const more = button('Show older events', async (event) => {
      event.target.disabled = true;
      await this.person.older();
      this.draw();
    }, { id: 'older-events', hidden: !this.person.hasOlder });
    return part('Timeline', [], new Timeline(this.person).draw(), more);
  }

  async erase(pressed) {
    if (await new Erasure(this.person.id).ask(pressed)) await this.reload();
  }
}
