// Numbers in the header.

import { byId } from '../parts/elements.js';
import { Limits } from '../api/limits.js';
import { count, span } from '../parts/text.js';

/// Events a second during the last minute.
export class Sparkline {
  stored = new Map(); // second → number
  drops = new Map();

  constructor(stored, drops, rate) {
    this.lines = { stored, drops };
    this.rate = rate;
  }

  static now() {
    return Math.floor(performance.now() / 1000);
  }

  add(kind) {
    const second = Sparkline.now();
    this[kind].set(second, (this[kind].get(second) || 0) + 1);
  }

  /// Events in the last whole second.
  get lastSecond() {
    const second = Sparkline.now() - 1;
    return this.total(second);
  }

  total(second) {
    return (this.stored.get(second) || 0) + (this.drops.get(second) || 0);
  }

  draw() {
    const now = Sparkline.now();
    for (const series of [this.stored, this.drops]) {
      for (const second of series.keys()) if (second < now - Limits.sparkSeconds) series.delete(second);
    }
    const seconds = Array.from({ length: Limits.sparkSeconds }, (_, index) => now - Limits.sparkSeconds + 1 + index);
    const highest = Math.max(4, ...seconds.map((second) => this.total(second)));
    const stored = seconds.map((second) => (this.stored.get(second) || 0) / highest);
    const drops = seconds.map((second) => (this.drops.get(second) || 0) / highest);
    this.lines.stored.setAttribute('d', Sparkline.bars(stored, stored.map(() => 0)));
    this.lines.drops.setAttribute('d', Sparkline.bars(drops, stored));
    this.rate.textContent = count(this.lastSecond);
  }

  static bars(heights, floors) {
    return heights.map((height, index) => {
      if (!height) return '';
      const base = 35 - floors[index] * 33;
      return `M${index * 3} ${base.toFixed(1)}v${(-Math.max(1, height * 33)).toFixed(1)}h2v`
        + `${Math.max(1, height * 33).toFixed(1)}z`;
    }).join('');
  }
}

/// The counters of the workspace.
export class Counters {
  show(stats) {
    const latency = stats.latency || {};
    byId('count-stored').textContent = count(stats.stored);
    byId('count-drops').textContent = count(stats.tracedDrops);
    byId('count-duplicates').textContent = count(stats.duplicates);
    byId('count-rejected').textContent = count(stats.rejected);
    byId('latency').textContent = latency.count ? `${span(latency.medianMs)} / ${span(latency.p99Ms)}` : '–';
    for (const id of ['count-drops', 'count-rejected']) {
      byId(id).classList.toggle('some', byId(id).textContent !== '0' && byId(id).textContent !== '–');
    }
  }
}
