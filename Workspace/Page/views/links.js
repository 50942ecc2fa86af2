// The links that show the board to everyone who has one: the list, a new one, and the end of one.

import { TimeTable } from '../parts/details.js';
import { copyButton, element } from '../parts/elements.js';
import { Messages } from '../parts/messages.js';
import { button, field, note, part, table, textInput } from '../parts/parts.js';
import { confirmed, showSecret } from '../parts/questions.js';
import { Workspace } from '../api/workspace.js';

export class BoardLinks {
  constructor(root) {
    this.root = root;
  }

  async start() {
    const { links } = await Workspace.json('/api/board-links');
    const rows = links.map((link) => [
      link.name, TimeTable.long(Date.parse(link.createdAt)), BoardLinks.end(link),
      link.usedAt ? TimeTable.long(Date.parse(link.usedAt)) : 'never', this.revokeButton(link),
    ]);
    this.root.replaceChildren(part('Links to the board', [],
      note('Everyone who has a link sees the answers on the board without a login, and nothing else. Questions that list persons are '
        + 'left out. A question that is put on the board later is shown, too.'),
      rows.length ? table(['Link', 'Made', 'Ends', 'Last used', ''], rows, { label: 'Links to the board' }) : note('There is no link yet.'),
      this.newLink()));
  }

  static end({ endsAt }) {
    if (!endsAt) return 'when it is revoked';
    const time = Date.parse(endsAt);
    return time > Date.now() ? TimeTable.long(time) : `is over since ${TimeTable.long(time)}`;
  }

  revokeButton(link) {
    return button('Revoke', async (event) => {
      const yes = await confirmed({
        title: `Revoke ${link.name}?`, action: 'Revoke', text: 'Screens that show the board with this link show it no longer, at once.',
      });
      if (!yes) return;
      const done = await Messages.during(event.target, () => Workspace.remove(`/api/board-links/${encodeURIComponent(link.name)}`));
      if (!done) return;
      await this.start();
      Messages.said(`The link ${link.name} is revoked.`);
    }, { class: 'button small' });
  }

  newLink() {
    const name = textInput('', { id: 'link-name', required: true, maxlength: '100' });
    const until = element('input', { type: 'date', id: 'link-until' });
    return element('form', {
      class: 'line-form', submit: async (event) => {
        event.preventDefault();
        await Messages.during(event.submitter, async () => {
          const values = { name: name.value.trim(), ...(until.value ? { until: until.value } : {}) };
          const made = await Workspace.send('POST', '/api/board-links', values);
          await this.start();
          const address = `${location.origin}${made.path}`;
          showSecret({
            title: `Link ${made.name}`, secret: address, copy: copyButton(() => address),
            text: 'This is the only time that the link is shown. The workspace keeps a digest of it.',
          });
        });
      },
    }, field('Name of a new link', name, 'A screen, or a reader.'), field('Ends on', until, 'At its beginning, UTC; may be empty.'),
    element('button', { class: 'button', type: 'submit' }, 'Make link'));
  }
}
