// Counts of days, and their comparison with other days.

import { count } from '../parts/text.js';

export function sum(counts) {
  return counts.reduce((total, value) => total + value, 0);
}

/// The change from one count to another; nothing when there is nothing to compare with.
export function change(before, now) {
  if (!before) return now ? 'new' : '–';
  const percent = Math.round(((now - before) * 100) / before);
  if (!percent) return '± 0 %';
  return percent > 0 ? `+ ${count(percent)} %` : `− ${count(-percent)} %`;
}

/// A file with a row for each day and a column for each series `{label, values}`.
export function csv(days, series) {
  return tableFile([['day', ...series.map((one) => one.label)],
    ...days.map((day, index) => [day, ...series.map((one) => one.values[index])])]);
}

/// A file with such rows.
export function tableFile(rows) {
  return `${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`;
}

/// Names come from clients. A spreadsheet takes a text with such a beginning for a formula.
function cell(value) {
  if (typeof value === 'number') return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/// The address of a CSV file with such a text.
export function fileOf(text) {
  return `data:text/csv;charset=utf-8,${encodeURIComponent(text)}`;
}
