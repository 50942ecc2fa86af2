// The places of the workspace: their addresses, and the links between them.

import { byId, element } from '../parts/elements.js';

/// Every place, in the order of the links. One machine has no cluster.
export const Places = Object.freeze([
  { path: '/', name: 'Events' },
  { path: '/catalog', name: 'Catalog' },
  { path: '/explore', name: 'Explore' },
  { path: '/people', name: 'People' },
  { path: '/live-plugins', name: 'Live plugins' },
  { path: '/filters', name: 'Filters' },
  { path: '/sessions', name: 'Signals' },
  { path: '/destinations', name: 'Destinations' },
  { path: '/problems', name: 'Problems' },
  { path: '/sources', name: 'Sources' },
  { path: '/access', name: 'Access' },
  { path: '/audit', name: 'Audit' },
  { path: '/cluster', name: 'Cluster', isOfNodes: true },
]);

/// Whether the workspace is a node of a cluster. The server says so in the document.
export function isNode() {
  return document.querySelector('meta[name="cluster"]').content === 'yes';
}

/// The values after the question mark of the address. With them, a reader can share a view.
export class Address {
  static get(name) {
    return new URLSearchParams(location.search).get(name) || '';
  }

  /// Changes values without loading the page again. An empty value is taken out.
  static set(values) {
    const query = new URLSearchParams(location.search);
    for (const [name, value] of Object.entries(values)) {
      if (value) query.set(name, value);
      else query.delete(name);
    }
    const text = query.toString();
    history.replaceState(history.state, '', text ? `?${text}` : location.pathname);
  }

  /// The address of a place, for the same source.
  static of(path, source = Address.get('source')) {
    return source ? `${path}?source=${encodeURIComponent(source)}` : path;
  }
}

/// Draws the links to the places. Draw them again when another source is chosen, because each link names the source.
export function drawPlaces() {
  const links = Places.filter((place) => !place.isOfNodes || isNode()).map((place) => element('a', {
    href: Address.of(place.path), 'aria-current': place.path === location.pathname && 'page',
  }, place.name));
  byId('places').replaceChildren(...links);
  links.find((link) => link.hasAttribute('aria-current'))?.scrollIntoView({ block: 'nearest', inline: 'center' });
}
