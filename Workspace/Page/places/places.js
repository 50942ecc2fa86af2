// The places of the workspace: their addresses, and the links between them.

import { byId, element, on } from '../parts/elements.js';
import { Messages } from '../parts/messages.js';
import { conditionsOf, withConditions } from '../api/conditions.js';

/// Every place, in the order of the links. One machine has no cluster.
export const Places = Object.freeze([
  { path: '/', name: 'Events', group: 'Data', hasNoPeople: true },
  { path: '/catalog', name: 'Catalog', group: 'Data', hasNoPeople: true },
  { path: '/plan', name: 'Plan', group: 'Data' },
  { path: '/explore', name: 'Explore', group: 'Data', hasNoPeople: true },
  { path: '/sql', name: 'SQL', group: 'Data' },
  { path: '/board', name: 'Board', group: 'Data', hasNoPeople: true },
  { path: '/people', name: 'People', group: 'Data' },
  { path: '/live-plugins', name: 'Live plugins', group: 'Apps' },
  { path: '/filters', name: 'Filters', group: 'Apps' },
  { path: '/sessions', name: 'Signals', group: 'Apps' },
  { path: '/destinations', name: 'Destinations', group: 'Delivery' },
  { path: '/problems', name: 'Problems', group: 'Delivery' },
  { path: '/sources', name: 'Sources', group: 'Workspace' },
  { path: '/access', name: 'Access', group: 'Workspace', isOfAll: true, role: 'administer' },
  { path: '/audit', name: 'Audit', group: 'Workspace' },
  { path: '/cluster', name: 'Cluster', group: 'Workspace', isOfNodes: true, isOfAll: true },
]);

/// The roles. Each may do what the roles before it may do.
export const Roles = Object.freeze(['look', 'deploy', 'administer']);

/// Whether the workspace is a node of a cluster. The server says so in the document.
export function isNode() {
  return document.querySelector('meta[name="cluster"]').content === 'yes';
}

/// The limits of the reader, which the server keeps; the page only leaves out the links to what it would refuse.
export class Reader {
  static isLimited = false; // to some sources
  static seesPeople = true;
  static role = 'administer';

  static may(role) {
    return Roles.indexOf(Reader.role) >= Roles.indexOf(role);
  }

  /// Whether that is another reader than before.
  static becomes(limits) {
    const isNew = Object.entries(limits).some(([name, value]) => Reader[name] !== value);
    Object.assign(Reader, limits);
    return isNew;
  }
}

/// The places of this workspace that the reader sees.
export function knownPlaces() {
  return Places.filter((place) => (!place.isOfNodes || isNode()) && (!place.isOfAll || !Reader.isLimited)
    && (place.hasNoPeople || Reader.seesPeople) && Reader.may(place.role ?? 'look'));
}

/// The path of one event, with its id.
const EventPath = /^\/events\/([^/]+)\/?$/;

/// The path of the place that a path belongs to: one event is shown in the place of the events.
export function placeOf(path) {
  return EventPath.test(path) ? '/' : path;
}

/// The places that show the events that meet the conditions of the address.
const WithConditions = ['/', '/explore', '/people'];

/// The address of the page. With its values, a reader can share a view.
export class Address {
  static shown; // the address of the place that is shown

  /// The id of the event that the address names: `/events/ID`, or `?event=ID` as in older links.
  static get event() {
    const encoded = EventPath.exec(location.pathname)?.[1];
    if (!encoded) return Address.get('event');
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded; // An id that was not encoded.
    }
  }

  /// Whether an id is made of one or two points. A browser takes such a step of a path for another place.
  static isPoints(messageId) {
    return /^\.{1,2}$/.test(messageId);
  }

  /// The address of one event. An id of points is a value in it, because it cannot be a step of the path.
  static ofEvent(messageId, search = '') {
    const query = new URLSearchParams(search);
    query.delete('event');
    const isPoints = Address.isPoints(messageId);
    if (isPoints) query.set('event', messageId);
    const path = messageId && !isPoints ? `/events/${encodeURIComponent(messageId)}` : '/';
    const text = query.toString();
    return text ? `${path}?${text}` : path;
  }

  /// Puts an event into the address without opening the place again; an empty id takes it out.
  static nameEvent(messageId) {
    history.replaceState(history.state, '', Address.ofEvent(messageId, location.search));
    Address.noteShown();
  }

  static get(name) {
    return new URLSearchParams(location.search).get(name) || '';
  }

  /// A value of the address that is one of a choice, each `[value, label]`. Says so when the address has another value.
  static oneOf(name, values, otherwise) {
    const value = Address.get(name);
    if (!value || values.some(([one]) => one === value)) return value || otherwise;
    Messages.said(`The address asks for ${name}=${value}, which this place does not have.`, 'failed');
    Address.set({ [name]: '' });
    return otherwise;
  }

  /// Changes values without opening the place again. An empty value is taken out.
  static set(values) {
    const query = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(values)) {
      if (value) query.set(name, value);
      else query.delete(name);
    }
    const text = query.toString();
    history.replaceState(history.state, '', text ? `?${text}` : location.pathname);
    Address.noteShown();
  }

  /// The address of a place, for the same source, and with the same conditions if the place has some.
  static of(path, source = Address.get('source')) {
    const conditions = WithConditions.includes(path) ? conditionsOf(location.search) : [];
    return path + withConditions(source ? `?source=${encodeURIComponent(source)}` : '', conditions);
  }

  /// The address of a destination, which its place shows with its dead letters.
  static ofDestination(name, source) {
    return `/destinations?${new URLSearchParams({ source, destination: name })}`;
  }

  /// The address of a filter rule among the rules of a source.
  static ofRule(name, source) {
    return `/filters?${new URLSearchParams({ source, rule: name })}`;
  }

  /// Goes to a place of the workspace.
  static visit(address) {
    if (new URL(address, location.href).href !== location.href) history.pushState(null, '', address);
    window.dispatchEvent(new Event('visit'));
  }

  static noteShown() {
    Address.shown = location.pathname + location.search;
  }

  /// Whether the address is that of the place that is shown.
  static get isShown() {
    return Address.shown === location.pathname + location.search;
  }
}

/// Draws the links to the places, in groups. Draw them again when another source is chosen, because each link names the
/// source. A phone shows the current place, and the links in a menu below it.
export function drawPlaces() {
  const places = knownPlaces();
  const link = (place) => element('a', {
    href: Address.of(place.path), 'aria-current': place.path === placeOf(location.pathname) && 'page',
  }, place.name);
  const groups = [...new Set(places.map((place) => place.group))].map((name) => element('div', { class: 'group', role: 'group', 'aria-label': name },
    element('span', { class: 'group-name', 'aria-hidden': 'true' }, name),
    element('div', { class: 'links' }, ...places.filter((place) => place.group === name).map(link))));
  const here = Places.find((place) => place.path === placeOf(location.pathname));
  const list = element('div', { id: 'groups', class: 'groups' }, ...groups);
  const menu = element('button', { class: 'menu', type: 'button', 'aria-expanded': 'false', 'aria-controls': 'groups' }, here.name);
  on(menu, 'click', () => {
    const isOpen = list.classList.toggle('open');
    menu.setAttribute('aria-expanded', isOpen);
  });
  byId('places').replaceChildren(menu, list);
}
