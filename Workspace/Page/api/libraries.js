// Libraries that the server found in its system. The page works without them.

import { element } from '../parts/elements.js';

const loading = new Map();

/// Whether the server has the files of a library.
export function isThere(name) {
  return document.querySelector('meta[name="libraries"]').content.split(' ').includes(name);
}

/// Loads the scripts of a library once; they follow each other.
export function loadScripts(files) {
  for (const file of files) {
    if (loading.has(file)) continue;
    const before = [...loading.values()].at(-1) || Promise.resolve();
    loading.set(file, before.then(() => new Promise((done, failed) => {
      document.head.append(element('script', { src: `/library/${file}`, load: done, error: failed }));
    })));
  }
  return Promise.all(files.map((file) => loading.get(file)));
}
