// Users and devices for which nothing is stored: their list, and the actions for one of them.

import { TimeTable } from '../parts/details.js';
import { element } from '../parts/elements.js';
import { Messages } from '../parts/messages.js';
import { button, field, note, nothing, part, table, textInput } from '../parts/parts.js';
import { confirmed } from '../parts/questions.js';
import { plural } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

/// How many entries the list shows.
const shown = 100;

export class Suppression {
  /// One person: a user, or a device by its anonymous id.
  constructor(id, isAnonymous) {
    this.id = id;
    // In a path, an id such as `..` would be a folder.
    this.path = `/api/suppressions?${isAnonymous ? 'anonymousId' : 'userId'}=${encodeURIComponent(id)}`;
  }

  /// Reads whether the person is suppressed. Most people have no entry.
  async start() {
    [this.entry] = (await Workspace.json(this.path)).suppressions;
  }

  get isSuppressed() {
    return Boolean(this.entry?.suppressed);
  }

  /// The entry in words; nothing for a person without an entry.
  get note() {
    if (!this.entry) return undefined;
    const { reason, by, at, erasedThrough } = this.entry;
    const why = reason ? ` Reason: ${reason}.` : '';
    const who = ` By ${by}, ${TimeTable.long(Date.parse(at))}.`;
    if (this.isSuppressed) return note(`Nothing is stored of this person.${why}${who}`, 'failed');
    return note(`Erased: what happened until ${TimeTable.long(Date.parse(erasedThrough))} is not stored again.${who}`, 'changed');
  }

  button(changed) {
    const label = this.isSuppressed ? 'Store again …' : 'Suppress …';
    return button(label, async (event) => {
      if (await this.ask(event.target)) await changed();
    }, { class: 'button danger' });
  }

  async ask(pressed) {
    if (this.isSuppressed) {
      const yes = await confirmed({
        title: `Store events of ${this.id} again?`, action: 'Store again',
        text: 'Events that come from now on are stored. What was erased, or was not stored meanwhile, does not come back.',
      });
      return yes && Messages.during(pressed, async () => {
        await Workspace.remove(this.path);
        Messages.said('Events are stored again.');
      });
    }
    const reason = textInput('', { id: 'suppression-reason', maxlength: '500' });
    const yes = await confirmed({
      title: `Suppress ${this.id}?`, action: 'Suppress', more: [field('Reason', reason, 'For the list and the audit log.')],
      text: 'Nothing more is stored of this person, whichever way it comes. What is stored stays until it is erased.',
    });
    return yes && Messages.during(pressed, async () => {
      await Workspace.send('PUT', this.path, { reason: reason.value });
      Messages.said('Nothing more is stored of this person.');
    });
  }

  /// The newest state of the list, as a part of a place.
  static async list() {
    const { suppressions, next, refused } = await Workspace.json(`/api/suppressions?limit=${shown}`);
    if (!suppressions.length) {
      return part('Suppressed and erased', [], nothing('Nobody is suppressed', 'Find a person, and suppress or erase them there.'));
    }
    const rows = suppressions.map((entry) => [
      element('code', { title: entry.digest }, `${entry.digest.slice(0, 12)}…`), entry.kind,
      [entry.suppressed ? 'suppressed' : undefined,
        entry.erasedThrough ? `erased through ${TimeTable.long(Date.parse(entry.erasedThrough))}` : undefined]
        .filter(Boolean).join(', '),
      entry.reason, entry.by, TimeTable.long(Date.parse(entry.at)),
    ]);
    const more = next ? ` The first ${shown} are shown; tributary suppress list shows all.` : '';
    return part('Suppressed and erased', [], note('The workspace keeps digests, not ids: find a person above to see the entry. '
      + `${plural(refused, 'event')} ${refused === 1 ? 'was' : 'were'} not stored since the server started.${more}`),
    table(['Digest', 'Kind', 'State', 'Reason', 'By', 'Since'], rows, { label: 'Suppressed and erased' }));
  }
}
