// What every place needs to know: the sources, the chosen source, and the rights of the reader.

import { byId, element } from '../parts/elements.js';
import { nothing } from '../parts/parts.js';
import { Address, drawPlaces, placeOf, Reader, Roles } from './places.js';
import { clock, padded } from '../parts/text.js';
import { Workspace } from '../api/workspace.js';

const RoleNames = { look: 'reader', deploy: 'deployer', administer: 'admin' };

/// A minute, in the time zone of the reader.
function minuteOf(date) {
  return `${date.getFullYear()}-${padded(date.getMonth() + 1)}-${padded(date.getDate())} ${clock(date.getTime()).slice(0, 5)}`;
}

/// The name of a source in a list of sources.
export function sourceName(source) {
  return source.name && source.name !== source.writeKey ? `${source.name} · ${source.writeKey}` : source.writeKey;
}

/// The text of a place of a workspace without a source.
export function noSource() {
  return nothing('There is no source yet', 'A source is one app with its write key. ', Reader.may('administer')
    ? element('a', { class: 'button', href: '/sources' }, 'Make a source') : 'An administrator of the workspace makes sources.');
}

/// The text of a place when its address names a source that is not there, with links to the sources of the workspace.
export function missingSource(writeKey, sources, parameter = 'source') {
  const link = (value, words) => {
    const query = new URLSearchParams(location.search);
    if (value) query.set(parameter, value);
    else query.delete(parameter);
    return element('a', { class: 'button', href: `${location.pathname}?${query}` }, words);
  };
  const others = sources.map((source) => link(source.writeKey, sourceName(source)));
  const all = parameter === 'of' || placeOf(location.pathname) === '/' ? [link('', 'All sources')] : [];
  return nothing(`There is no source “${writeKey}”`, 'It was removed, or the address has a mistake. These are there:',
    element('div', { class: 'actions' }, ...all, ...others));
}

export class Surroundings {
  sources = [];
  role = 'look';

  get source() {
    const wanted = Address.get('source');
    return wanted ? this.sources.find((source) => source.writeKey === wanted) : this.sources[0];
  }

  may(role) {
    return Roles.indexOf(this.role) >= Roles.indexOf(role);
  }

  /// Whether the reader sees all sources, and so may change the whole workspace.
  get seesAll() {
    return !this.seen;
  }

  async read() {
    const [, answer] = await Promise.all([this.readLogin(), Workspace.json('/api/sources')]);
    this.sources = answer.sources;
  }

  async readLogin() {
    const { role, token, sources, personalData, endsAt } = await Workspace.json('/api/login');
    Object.assign(this, { role, token, endsAt, seen: sources });
    if (Reader.becomes({ isLimited: Boolean(sources), seesPeople: personalData !== 'hidden', role })) drawPlaces();
  }

  /// Shows the sources and the reader in the header.
  draw(kind) {
    const select = byId('source');
    select.replaceChildren(...this.sources.map((one) => element('option', { value: one.writeKey }, sourceName(one))));
    select.value = this.source?.writeKey ?? '';
    select.hidden = !this.sources.length || Boolean(kind.isOfAllSources);
    this.drawLogin();
  }

  drawLogin() {
    const end = this.endsAt && minuteOf(new Date(this.endsAt));
    const part = (words) => element('span', {}, words);
    byId('who').replaceChildren(part(`${this.token || 'Admin token'} · ${RoleNames[this.role]}`), ...(end ? [' · ', part(`until ${end}`)] : []));
    byId('who').title = end ? `This login ends at ${end}. An administrator of the workspace can make another token.` : '';
  }

  /// The text instead of a place that needs a source, or is limited to one, when there is no such source.
  missing(kind) {
    if (!kind.isOfAllSources && !this.sources.length) return noSource();
    if (!kind.isOfAllSources && !this.source) return missingSource(Address.get('source'), this.sources);
    const of = Address.get('of');
    if (of && !this.sources.some((source) => source.writeKey === of)) return missingSource(of, this.sources, 'of');
    return undefined;
  }
}
