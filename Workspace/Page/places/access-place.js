// Named tokens, each with a role.

import { TimeTable } from '../parts/details.js';
import { copyButton, element } from '../parts/elements.js';
import { Messages } from '../parts/messages.js';
import { button, choice, field, note, part, table, textInput } from '../parts/parts.js';
import { confirmed, showSecret } from '../parts/questions.js';
import { Workspace } from '../api/workspace.js';

const Roles = [
  ['look', 'Look: see everything, change nothing'],
  ['deploy', 'Deploy: also live plugins and filters'],
  ['administer', 'Administer: everything'],
];

export class AccessPlace {
  static isOfAllSources = true;

  constructor(root, surroundings) {
    Object.assign(this, { root, surroundings });
  }

  async start() {
    if (!this.surroundings.may('administer')) {
      this.root.replaceChildren(part('Access', [],
        note('Tokens can be seen and made with a token that may administer the workspace.')));
      return;
    }
    const { tokens } = await Workspace.json('/api/tokens');
    const rows = tokens.map((token) => [
      token.name, token.role, TimeTable.long(Date.parse(token.createdAt)),
      token.usedAt ? TimeTable.long(Date.parse(token.usedAt)) : 'never', this.revokeButton(token),
    ]);
    this.root.replaceChildren(part('Access', [],
      note('The admin token may do everything. Give each person and each program a named token instead: it can be '
        + 'revoked alone, and the audit log names it.'),
      rows.length ? table(['Token', 'Role', 'Created', 'Last used', ''], rows, { label: 'Tokens' })
        : note('There is no named token yet.'), this.newToken()));
  }

  revokeButton(token) {
    return button('Revoke', async (event) => {
      const yes = await confirmed({
        title: `Revoke ${token.name}?`, action: 'Revoke',
        text: 'Programs that use the token are refused, and logins that were made with it end, at once.',
      });
      if (!yes) return;
      const done = await Messages.during(event.target, () =>
        Workspace.remove(`/api/tokens/${encodeURIComponent(token.name)}`));
      if (!done) return;
      await this.start();
      Messages.said(`The token ${token.name} is revoked.`);
    }, { class: 'button small' });
  }

  newToken() {
    const name = textInput('', { id: 'token-name', required: true, maxlength: '100' });
    const role = choice(Roles, 'look', { id: 'token-role' });
    return element('form', {
      class: 'line-form', submit: async (event) => {
        event.preventDefault();
        await Messages.during(event.submitter, async () => {
          const made = await Workspace.send('POST', '/api/tokens', { name: name.value, role: role.value });
          await this.start();
          showSecret({
            title: `Token ${made.name}`, secret: made.token, copy: copyButton(() => made.token),
            text: 'This is the only time that the token is shown. The workspace keeps a digest of it.',
          });
        });
      },
    }, field('Name of a new token', name, 'A person or a program.'), field('Role', role),
    element('button', { class: 'button', type: 'submit' }, 'Make token'));
  }
}
