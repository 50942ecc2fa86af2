// Named tokens, each with a role and perhaps limits.

import { TimeTable } from '../parts/details.js';
import { copyButton, element } from '../parts/elements.js';
import { Messages } from '../parts/messages.js';
import { button, choice, field, note, part, table, textInput } from '../parts/parts.js';
import { confirmed, showSecret } from '../parts/questions.js';
import { Workspace } from '../api/workspace.js';
import { sourceName } from './surroundings.js';

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
      token.name, token.role, this.seen(token), AccessPlace.end(token), TimeTable.long(Date.parse(token.createdAt)),
      token.usedAt ? TimeTable.long(Date.parse(token.usedAt)) : 'never', this.revokeButton(token),
    ]);
    this.root.replaceChildren(part('Access', [],
      note('The admin token may do everything. Give each person and each program a named token instead: it can be '
        + 'revoked alone, and the audit log names it.'),
      rows.length ? table(['Token', 'Role', 'Sees', 'End', 'Created', 'Last used', ''], rows, { label: 'Tokens' })
        : note('There is no named token yet.'), this.newToken()));
  }

  /// The limits of a token in words.
  seen({ sources, personalData }) {
    const nameOf = (writeKey) => this.surroundings.sources.find((source) => source.writeKey === writeKey)?.name || writeKey;
    const which = !sources ? 'all sources' : sources.map(nameOf).join(', ') || 'sources that were removed';
    return personalData === 'hidden' ? `${which}, no personal data` : which;
  }

  static end({ endsAt, hasEnded }) {
    if (!endsAt) return 'never';
    const time = TimeTable.long(Date.parse(endsAt));
    return hasEnded ? element('span', { class: 'way', 'data-outcome': 'dropped' }, `ended ${time}`) : time;
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
    const sources = element('select', { id: 'token-sources', multiple: true, size: String(Math.min(4, this.surroundings.sources.length || 1)) },
      ...this.surroundings.sources.map((source) => element('option', { value: source.writeKey }, sourceName(source))));
    const end = element('input', { id: 'token-end', type: 'date' });
    const hides = element('input', { id: 'token-hides', type: 'checkbox' });
    return element('form', {
      class: 'line-form', submit: async (event) => {
        event.preventDefault();
        await Messages.during(event.submitter, async () => {
          const chosen = [...sources.selectedOptions].map((option) => option.value);
          const made = await Workspace.send('POST', '/api/tokens', {
            name: name.value, role: role.value, sources: chosen.length ? chosen : null, endsAt: end.value || null,
            personalData: hides.checked ? 'hidden' : 'shown',
          });
          await this.start();
          showSecret({
            title: `Token ${made.name}`, secret: made.token, copy: copyButton(() => made.token),
            text: 'This is the only time that the token is shown. The workspace keeps a digest of it.',
          });
        });
      },
    }, field('Name of a new token', name, 'A person or a program.'), field('Role', role),
    field('Sources', sources, 'None chosen: all sources, also later ones.'), field('Last day', end, 'In UTC. Empty: no end.'),
    element('label', { class: 'field' }, element('span', { class: 'field-name' }, 'No personal data'), hides,
      element('span', { class: 'help' }, 'Only with the role look. Ids are shown as digests; traits, addresses and personal properties are left out.')),
    element('button', { class: 'button', type: 'submit' }, 'Make token'));
  }
}
