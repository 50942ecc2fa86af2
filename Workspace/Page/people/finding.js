// Finds people by their traits, and groups with their members.

import { TimeTable } from '../parts/details.js';
import { element } from '../parts/elements.js';
import { Messages } from '../parts/messages.js';
import { field, note, table, textInput } from '../parts/parts.js';
import { count, plural } from '../parts/text.js';
import { Breakdown } from '../api/breakdown.js';

/// The people, groups and members of a source that the server finds. `linkTo` makes a link to a person.
export class Finding {
  constructor(writeKey, linkTo) {
    Object.assign(this, { writeKey, linkTo });
  }

  /// Call it when the place is left.
  close() {
    this.asked?.stop();
  }

  /// The result of a search of the server. A new search ends an earlier one.
  async search(path, query, went) {
    this.close();
    let result;
    this.asked = new Breakdown(new URLSearchParams({ writeKey: this.writeKey, ...query }), (line) => {
      if (line.progress) went?.(line.progress);
      if (line.result) result = line.result;
    }, { path });
    await this.asked.run();
    return result;
  }

  /// A form that finds people by a text, with a place for the people.
  people(text, chosen) {
    const input = textInput(text, { id: 'trait-text', required: true, maxlength: '200' });
    const found = element('div', { id: 'found-people' });
    const form = element('form', {
      class: 'line-form', role: 'search', submit: async (event) => {
        event.preventDefault();
        chosen(input.value);
        await Messages.during(event.submitter, () => this.showPeople(input.value, found));
      },
    }, field('Find by a trait', input, 'A part of a mail address, a name or another trait.'),
    element('button', { class: 'button', type: 'submit' }, 'Search'));
    return { root: element('div', {}, form, found), show: () => this.showPeople(text, found) };
  }

  async showPeople(text, place) {
    const went = ({ looked, most }) => place.replaceChildren(note(`Looked at ${count(looked)} of at most ${count(most)} events …`));
    const result = await this.search('/api/people', { search: text }, went);
    if (!result) return;
    if (!result.people.length) {
      place.replaceChildren(note(`No identify event has “${text}” in a trait or in the user id.`));
      return;
    }
    place.replaceChildren(
      note(`${plural(result.people.length, 'person', 'people')} with “${text}”${result.isCut ? ', and more: write more of the text' : ''}.`),
      table(['Person', 'Traits', 'Last identified'], result.people.map((person) => [
        this.linkTo(person.userId ?? person.anonymousId, person.userId === null), element('code', {}, JSON.stringify(person.traits)),
        TimeTable.long(Date.parse(person.seenAt)),
      ]), { label: 'People found' }));
  }

  /// Fills a place with the groups of the source. `groupLink` makes a link to one.
  async showGroups(place, groupLink) {
    const { groups, isCut } = await this.search('/api/groups', {}) || { groups: [] };
    if (!groups.length) {
      place.replaceChildren(note('No group yet. A group event makes a person a member of a group, such as a company or a team.'));
      return;
    }
    place.replaceChildren(...[
      isCut ? note('The groups with the most members; there are more.') : undefined,
      table(['Group', 'Members', 'Traits', 'Last event'], groups.map((group) => [
        groupLink(group.groupId), count(group.members), element('code', {}, JSON.stringify(group.traits)),
        TimeTable.long(Date.parse(group.seenAt)),
      ]), { label: 'Groups' })].filter(Boolean));
  }

  /// The members of a group, as the elements of a part.
  async members(groupId) {
    const result = await this.search('/api/groups/members', { groupId });
    if (!result?.members.length) return [note('No group event has this id.')];
    return [
      note(`${plural(result.count, 'member')}${result.isCut ? `; the newest ${count(result.members.length)} are listed` : ''}. Traits of the group: `
        + `${JSON.stringify(result.traits)}`),
      table(['Member', 'Last event of the group'], result.members.map((person) => [
        this.linkTo(person.userId ?? person.anonymousId, person.userId === null), TimeTable.long(Date.parse(person.seenAt)),
      ]), { label: 'Members' })];
  }
}
