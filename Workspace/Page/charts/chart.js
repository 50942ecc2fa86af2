// Charts of counts, drawn as one path.

import { drawing, element } from '../parts/elements.js';
import { count } from '../parts/text.js';

const Unit = 4; // the width of a bar with its gap
const Height = 24;

/// Bars of counts, oldest first. `names` labels each bar, such as with a day; `on` is the word before such a label.
export function bars(counts, names, on = 'on') {
  const highest = Math.max(1, ...counts);
  const path = counts.map((value, index) => {
    if (!value) return '';
    const height = Math.max(1, (value / highest) * Height).toFixed(1);
    return `M${index * Unit} ${Height}v-${height}h${Unit - 1}v${height}z`;
  }).join('');
  const peak = counts.indexOf(Math.max(...counts));
  const label = counts.some(Boolean)
    ? `From ${names[0]} to ${names.at(-1)}; the most ${on} ${names[peak]}: ${count(counts[peak])}`
    : `Nothing from ${names[0]} to ${names.at(-1)}`;
  return drawing('svg', {
    class: 'bars', viewBox: `0 0 ${counts.length * Unit} ${Height}`, preserveAspectRatio: 'none', role: 'img',
    'aria-label': label,
  }, drawing('path', { d: path }));
}

/// Large bars with the highest count beside them, and the first and the last name below.
export function barsWithAxes(counts, names, on) {
  const caption = (text, attributes) => element('span', { 'aria-hidden': 'true', ...attributes }, text);
  return element('figure', { class: 'large-bars' },
    caption(count(Math.max(0, ...counts)), { class: 'axis-most' }), caption('0', { class: 'axis-least' }),
    bars(counts, names, on), caption(names[0] ?? '', { class: 'axis-first' }), caption(names.at(-1) ?? '', { class: 'axis-last' }));
}
