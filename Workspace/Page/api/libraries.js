// Libraries that the server found in its system. The page works without them.

import { element } from '../parts/elements.js';

const loading = new Map();

const known = () => document.querySelector('meta[name="libraries"]');

/// Whether the server has the files of a library.
export function isThere(name) {
  return known().content.split(' ').includes(name);
}

/// The address of a file of a library.
export function addressOf(file) {
  return `/library/${known().dataset.version}/${file}`;
}

/// Loads the scripts of a library once; they follow each other.
export function loadScripts(files) {
  for (const file of files) {
    if (loading.has(file)) continue;
    const before = [...loading.values()].at(-1) || Promise.resolve();
    loading.set(file, before.then(() => new Promise((done, failed) => {
      document.head.append(element('script', { src: addressOf(file), load: done, error: failed }));
    })));
  }
  return Promise.all(files.map((file) => loading.get(file)));
}
