// Tests of text.ts.

import { describe, expect, test } from 'vitest';

import { shown, stem } from './text';

describe('shown', () => {
  test('leaves an ordinary name alone', () => expect(shown('Train(0).Cross')).toBe('Train(0).Cross'));
  test('makes marks visible that would turn the text around', () => expect(shown('a\u202eb\u0000c\nd')).toBe('a·b·c·d'));
  test('cuts in the middle', () => {
    expect(shown('abcdefghij', 5)).toBe('abc…j');
    expect(shown('x'.repeat(100_000)).length).toBe(80);
  });
  test('leaves no half characters', () => {
    const text = shown('😀'.repeat(50), 10);
    expect(text).not.toMatch(/[\ud800-\udbff](?![\udc00-\udfff])/);
    expect(text).toContain('…');
  });
  test('keeps markup as text', () => expect(shown('<b>')).toBe('<b>'));
});

test('stem is fit for the name of a file', () => {
  expect(stem('train-gate.xml')).toBe('train-gate');
  expect(stem('../a b/c<d>.xml')).toBe('..-a-b-c-d-');
  expect(stem('.xml')).toBe('model');
});
