// Text of numbers, times and shell words.

const numberFormat = new Intl.NumberFormat('en');

export function count(value) {
  return Number.isFinite(value) ? numberFormat.format(value) : '–';
}

export function plural(number, noun, many = `${noun}s`) {
  return `${count(number)} ${number === 1 ? noun : many}`;
}

/// A number of bytes, in the unit that keeps it short.
export function size(bytes) {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB'];
  let [value, unit] = [bytes, 0];
  while (value >= 1000 && unit < units.length - 1) [value, unit] = [value / 1000, unit + 1];
  return unit ? `${Number(value.toPrecision(3))} ${units[unit]}` : plural(bytes, 'byte');
}

export function padded(value, length = 2) {
  return String(value).padStart(length, '0');
}

/// Time of day in the reader's time zone, with milliseconds.
export function clock(milliseconds) {
  if (!Number.isFinite(milliseconds)) return '–';
  const date = new Date(milliseconds);
  return `${padded(date.getHours())}:${padded(date.getMinutes())}:${padded(date.getSeconds())}`
    + `.${padded(date.getMilliseconds(), 3)}`;
}

/// A span of time with three significant figures at most.
export function span(milliseconds) {
  if (!Number.isFinite(milliseconds)) return '–';
  const sign = milliseconds < 0 ? '−' : '';
  const size = Math.abs(milliseconds);
  const figures = (value) => String(Number(value.toPrecision(value < 100 ? 2 : 3)));
  if (size < 1000) return `${sign}${size < 10 ? figures(size) : Math.round(size)} ms`;
  if (size < 60_000) return `${sign}${figures(size / 1000)} s`;
  if (size < 3_600_000) return `${sign}${figures(size / 60_000)} min`;
  if (size < 172_800_000) return `${sign}${figures(size / 3_600_000)} h`;
  return `${sign}${Math.round(size / 86_400_000)} days`;
}

/// From the call on the device to the database. A device's clock that is ahead of the workspace's makes it unknown.
export function latencyOf(trackedAt, storedAt) {
  return storedAt >= trackedAt ? storedAt - trackedAt : NaN;
}

export function instant(text) {
  return typeof text === 'string' ? Date.parse(text) : NaN;
}

/// A text for a member that should be a string.
export function textual(value) {
  return value === undefined || value === null ? '' : String(value);
}

export function shortened(text, length) {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

const Marks = {
  '\u061C': 'ALM', '\u200E': 'LRM', '\u200F': 'RLM', '\u202A': 'LRE', '\u202B': 'RLE', '\u202C': 'PDF', '\u202D': 'LRO',
  '\u202E': 'RLO', '\u2066': 'LRI', '\u2067': 'RLI', '\u2068': 'FSI', '\u2069': 'PDI',
};

/// Text with its marks of direction in sight. Unseen, they change the order of the letters around them, and one name can look
/// like another.
export function visible(text) {
  return text.replace(/[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, (mark) => `⟨${Marks[mark]}⟩`);
}

/// Words with the full stop of a sentence.
export function sentence(words) {
  return /[.?!]$/.test(words) ? words : `${words}.`;
}

/// Text as one word of a shell.
export function shellWord(text) {
  return /^[\w.@%+=:,/-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
