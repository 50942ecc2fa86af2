// Every place except the events: reads the rights of the reader and the chosen source, and opens the place of the
// address.

import { AccessPlace } from './access-place.js';
import { AuditPlace } from './audit-place.js';
import { CatalogPlace } from './catalog-place.js';
import { ClusterPlace } from './cluster-place.js';
import { DestinationsPlace } from './destinations-place.js';
import { byId, element, on } from '../parts/elements.js';
import { ExplorePlace } from './explore-place.js';
import { begin } from '../parts/guard.js';
import { FiltersPlace } from './filters-place.js';
import { button, nothing } from '../parts/parts.js';
import { PeoplePlace } from './people-place.js';
import { Address, Places, drawPlaces } from './places.js';
import { PresenceView } from '../parts/presence-view.js';
import { PluginsPlace } from './plugins-place.js';
import { ProblemsPlace } from './problems-place.js';
import { SignalsPlace } from './signals-place.js';
import { SourcesPlace } from './sources-place.js';
import { Workspace } from '../api/workspace.js';

const Kinds = {
  '/access': AccessPlace,
  '/audit': AuditPlace,
  '/catalog': CatalogPlace,
  '/cluster': ClusterPlace,
  '/destinations': DestinationsPlace,
  '/explore': ExplorePlace,
  '/filters': FiltersPlace,
  '/live-plugins': PluginsPlace,
  '/people': PeoplePlace,
  '/problems': ProblemsPlace,
  '/sessions': SignalsPlace,
  '/sources': SourcesPlace,
};
const Roles = ['look', 'deploy', 'administer'];

/// The context of a place: the sources, the chosen source, and the reader's rights.
class Surroundings {
  sources = [];
  role = 'look';

  get source() {
    return this.sources.find((source) => source.writeKey === Address.get('source')) || this.sources[0];
  }

  may(role) {
    return Roles.indexOf(this.role) >= Roles.indexOf(role);
  }

  async read() {
    const [login, answer] = await Promise.all([Workspace.json('/api/login'), Workspace.json('/api/sources')]);
    this.role = login.role;
    this.token = login.token;
    this.sources = answer.sources;
  }
}

class Shell {
  surroundings = new Surroundings();
  kind = Kinds[location.pathname];

  async start() {
    new PresenceView({ again: () => this.open(), isEmpty: () => this.hasFailed }).start();
    const { name } = Places.find((place) => place.path === location.pathname);
    document.title = `${name} · Tributary workspace`;
    drawPlaces();
    on(byId('source'), 'change', (event) => this.choose(event.target.value));
    await this.open();
  }

  async open() {
    try {
      this.hasFailed = false;
      await this.surroundings.read();
      this.drawHeader();
      await this.draw();
    } catch (error) {
      this.hasFailed = true;
      byId('place').replaceChildren(nothing('This cannot be shown now', `${error.message}. `,
        button('Try again', () => this.open())));
    }
  }

  drawHeader() {
    const { sources, source, role, token } = this.surroundings;
    const select = byId('source');
    select.replaceChildren(...sources.map((one) => element('option', { value: one.writeKey },
      one.name && one.name !== one.writeKey ? `${one.name} · ${one.writeKey}` : one.writeKey)));
    if (source) select.value = source.writeKey;
    select.hidden = !sources.length || Boolean(this.kind.isOfAllSources);
    const words = { look: 'may look', deploy: 'may deploy', administer: 'may administer' };
    byId('who').textContent = `${token || 'Admin token'} · ${words[role]}`;
  }

  async draw() {
    const { source } = this.surroundings;
    if (!source && !this.kind.isOfAllSources) {
      byId('place').replaceChildren(nothing('There is no source yet', 'A source stands for one app. ',
        element('a', { class: 'button', href: '/sources' }, 'Make a source')));
      return;
    }
    const place = new this.kind(byId('place'), this.surroundings, () => this.open());
    await place.start();
  }

  choose(writeKey) {
    Address.set({ source: writeKey });
    drawPlaces();
    byId('place').replaceChildren();
    return this.open();
  }
}

begin(() => new Shell().start());
