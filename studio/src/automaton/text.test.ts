import { describe, expect, it } from 'vitest';

import { brief, colourStyle, linesOf, sizeOf } from './text';

describe('labels', () => {
  it('are drawn line by line', () => {
    expect(linesOf(' a &&\n b \n')).toEqual(['a &&', ' b']);
    expect(sizeOf('ab\nabcd')).toEqual({ width: 28, height: 34 });
  });

  it('of any length are drawn with an end', () => {
    const lines = linesOf(`${'x'.repeat(100_000)}`);
    expect(lines).toHaveLength(1);
    expect(lines[0]!.length).toBeLessThan(200);
    expect(linesOf('y\n'.repeat(100_000)).length).toBeLessThan(50);
    expect(brief('x'.repeat(100_000)).length).toBeLessThan(100);
  });

  it('have colours only if they are written as such', () => {
    expect(colourStyle('#A0b1c2')).toBe('--given: #A0b1c2');
    expect(colourStyle('red; background: url(//elsewhere)')).toBeUndefined();
  });
});
