// Numbers as people read them. Digits are grouped and few: what is measured is never exact to the last one.

const GROUPED = new Intl.NumberFormat('en', { maximumFractionDigits: 0 });

/** A number of things: `1,234,567`. */
export function count(number: number): string {
  return GROUPED.format(number);
}

/** A number with its noun, in the plural if need be: `1 step`, `3 steps`. */
export function counted(number: number, one: string, many = `${one}s`): string {
  return `${count(number)} ${number === 1 ? one : many}`;
}

function threeDigits(number: number): string {
  if (number >= 100 || Number.isInteger(number)) return number.toFixed(0);
  return number >= 10 ? number.toFixed(1) : number.toFixed(2);
}

/** An amount of memory: `12.3 MiB`. */
export function bytes(number: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  while (number >= 1024 && unit < units.length - 1) {
    number /= 1024;
    unit += 1;
  }
  return `${threeDigits(number)} ${units[unit]}`;
}

/** A length of time: `850 µs`, `12 ms`, `1.34 s`, `2 min 5 s`, `1 h 3 min`; whole ones without a rest. */
export function duration(seconds: number): string {
  if (seconds <= 0) return '0 s';
  if (seconds < 0.0995) return seconds < 0.000995 ? `${Math.ceil(seconds * 1e6)} µs` : `${threeDigits(seconds * 1e3)} ms`;
  if (seconds < 60) return `${threeDigits(seconds)} s`;
  const whole = Math.round(seconds);
  const parts: [number, string][] = whole < 3600 ? [[whole / 60, 'min'], [whole % 60, 's']] : [[whole / 3600, 'h'], [(whole % 3600) / 60, 'min']];
  return parts.filter(([number]) => number >= 1).map(([number, unit]) => `${Math.floor(number)} ${unit}`).join(' ');
}

/** So many in a second: `12.3 k/s`. */
export function rate(perSecond: number): string {
  if (perSecond >= 1e6) return `${threeDigits(perSecond / 1e6)} M/s`;
  if (perSecond >= 1e4) return `${threeDigits(perSecond / 1e3)} k/s`;
  return `${count(perSecond)}/s`;
}

/** A share in whole per cent, of which 0 and 100 mean none and all. */
export function percent(part: number, whole: number): string {
  if (whole === 0) return '–';
  const exact = (100 * part) / whole;
  if (part > 0 && exact < 1) return '<1 %';
  if (part < whole && exact > 99) return '>99 %';
  return `${Math.round(exact)} %`;
}

/** A text as a sentence of its own: it begins with a capital letter and ends with a full stop. */
export function sentence(text: string): string {
  const first = text.charAt(0).toUpperCase() + text.slice(1);
  return first === '' || /[.!?:\])]$/.test(first) ? first : `${first}.`;
}

/** A text cut to a length, with its middle left out: long names keep both ends. */
export function shortened(text: string, length: number): string {
  const signs = Array.from(text.slice(0, 4 * length + 4));
  if (text.length <= length || (signs.length <= length && text.length <= 4 * length)) return text;
  const end = Math.floor((length - 1) / 3);
  return `${signs.slice(0, length - 1 - end).join('')}…${Array.from(text.slice(-2 * end - 2)).slice(-end).join('')}`;
}
