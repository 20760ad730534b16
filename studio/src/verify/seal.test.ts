// Tests of the seal of certified answers.

import { describe, expect, test } from 'vitest';

import { sealText } from './seal';

describe('a seal', () => {
  const certified = { states: 1652, successors: 2384, sha256: 'ab12', bytes: 5530, seconds: 0.039 };
  test('has the numbers and the hash', () => {
    expect(sealText(certified)).toBe('1,652 states and 2,384 successors checked in 39 ms, 5.40 KiB\nSHA-256 ab12');
  });
  test('has one state and no successor', () => {
    expect(sealText({ ...certified, states: 1, successors: 0 })).toContain('1 state and 0 successors checked');
  });
});
