// Colours, completion, underlines and sentences.

import { StringStream } from '@codemirror/language';
import { describe, expect, it } from 'vitest';

import type { Names, Told } from '../api/types';
import { candidates, membersOf } from './completion';
import { tcheckerToken, uppaalToken } from './languages';
import { underlines } from './lint';
import { byPart, partKey } from './parts';
import { pieces } from './prose';
import { replacement } from './replace';

function read(lines: string[], token: (stream: StringStream) => string | null): [string, string][] {
  const found: [string, string][] = [];
  for (const line of lines) {
    const stream = new StringStream(line, 4, 4);
    while (!stream.eol()) {
      stream.start = stream.pos;
      const kind = token(stream);
      if (kind) found.push([stream.current(), kind]);
    }
  }
  return found;
}

describe('colours', () => {
  it('tell words, numbers and comments of UPPAAL apart', () => {
    const memory = { comment: false };
    const found = read(['const int N = 4; // trains', '/* a', 'b */ clock x;'], (stream) => uppaalToken(stream, memory));
    expect(found).toContainEqual(['const', 'keyword']);
    expect(found).toContainEqual(['int', 'typeName']);
    expect(found).toContainEqual(['N', 'variableName']);
    expect(found).toContainEqual(['4', 'number']);
    expect(found).toContainEqual(['// trains', 'comment']);
    expect(found).toContainEqual(['b */', 'comment']);
    expect(found).toContainEqual(['clock', 'typeName']);
  });

  it('know the words of TChecker at their places', () => {
    const found = read(['location:P:do{invariant: x<=5} # why'], (stream) => tcheckerToken(stream));
    expect(found).toContainEqual(['location', 'keyword']);
    expect(found).toContainEqual(['do', 'variableName']);
    expect(found).toContainEqual(['invariant', 'typeName']);
    expect(found).toContainEqual(['# why', 'comment']);
  });

  it('come to an end on any text', () => {
    const memory = { comment: false };
    const odd = ['\u202e<script>', '"open', '§$%&/', '\\', '\u0000', '𝔘nicode', "'"];
    for (const line of odd) expect(read([line], (stream) => uppaalToken(stream, memory)).length).toBeGreaterThan(0);
    for (const line of odd) expect(read([line], (stream) => tcheckerToken(stream)).length).toBeGreaterThan(0);
  });
});

const NAMES: Names = {
  global: [{ name: 'x', kind: 'clock', detail: 'clock' }, { name: 'N', kind: 'constant', detail: 'const int' }],
  templates: [[{ name: 'x', kind: 'variable', detail: 'int' }]],
  members: [{ of: 'Train', names: [{ name: 'Safe', kind: 'location', detail: '' }] }],
};

describe('completion', () => {
  it('offers a template what it hides once, as its own', () => {
    const found = candidates(NAMES, 'uppaal', 0).filter((one) => one.label === 'x');
    expect(found.map((one) => one.detail)).toEqual(['int']);
    expect(candidates(NAMES, 'uppaal', null).find((one) => one.label === 'x')?.detail).toBe('clock');
  });

  it('offers members of processes by their template', () => {
    expect(membersOf(NAMES, 'Train(3)').map((one) => one.label)).toEqual(['Safe']);
    expect(membersOf(NAMES, 'Gate')).toEqual([]);
  });
});

function told(from: number, to: number): Told {
  const place = { part: { part: 'declarations' }, from, to, line: 1, column: 1 } as const;
  return { severity: 'error', code: 'U0001', message: 'm', help: [], explanation: '', place, labels: [] };
}

describe('diagnostics', () => {
  it('underline something even where the place is empty or beyond the text', () => {
    for (const [from, to] of [[2, 2], [10, 10], [99, 120], [0, 0]] as const) {
      const [one] = underlines([told(from, to)], 10);
      expect(one!.to - one!.from).toBe(1);
      expect(one!.to).toBeLessThanOrEqual(10);
    }
    expect(underlines([told(0, 0)], 0)[0]).toMatchObject({ from: 0, to: 0 });
  });

  it('are found by their part', () => {
    expect(byPart([told(0, 1), told(1, 2)]).get(partKey({ part: 'declarations' }))).toHaveLength(2);
  });
});

describe('replacements', () => {
  it('keep what is the same at both ends', () => {
    expect(replacement('abcd', 'abXcd')).toEqual({ from: 2, to: 2, insert: 'X' });
    expect(replacement('aaa', 'aa')).toEqual({ from: 2, to: 3, insert: '' });
    expect(replacement('same', 'same')).toBeNull();
    expect(replacement('', 'new')).toEqual({ from: 0, to: 0, insert: 'new' });
  });
});

describe('sentences', () => {
  it('have code between backticks, and survive odd ones', () => {
    expect(pieces('`x` is no clock')).toEqual([{ text: 'x', code: true }, { text: ' is no clock', code: false }]);
    expect(pieces('a ` alone')).toEqual([{ text: 'a ` alone', code: false }]);
    expect(pieces('`a` b ` c').map(({ text }) => text)).toEqual(['a', ' b ` c']);
    expect(pieces('')).toEqual([]);
  });
});
