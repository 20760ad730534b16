// Tests of svg.ts.

import { describe, expect, test } from 'vitest';

import { box, line, text, type Mark } from './marks';
import { escaped, svgFile, type Palette } from './svg';

const PALETTE: Palette = { colour: (name) => `#${name}`, saturation: '50%', lightness: '80%', sans: "'A', sans", mono: 'mono' };

const file = (marks: Mark[], title = 'run') => svgFile(title, 100.2, 50, [{ x: 1, y: 2, marks }], PALETTE);

describe('escaped text', () => {
  test('is text', () => expect(escaped(`<a b="c" d='e'>&`)).toBe('&lt;a b=&quot;c&quot; d=&#39;e&#39;&gt;&amp;'));
  test('has no characters that XML cannot hold', () => expect(escaped('a\u0000b\u001bc\ud800d\uffff')).toBe('a\ufffdb\ufffdc\ufffdd\ufffd'));
  test('keeps characters beyond the first plane', () => expect(escaped('😀')).toBe('😀'));
});

describe('the file', () => {
  test('stands alone', () => {
    const made = file([line('l', 'message', [0, 0], [10, 0], true), box('b', 'instant', [0, 0], [4, 4], 200), text('t', 'box-text', [1, 2], 'A')]);
    expect(made).toContain('xmlns="http://www.w3.org/2000/svg"');
    expect(made).toContain('width="101"');
    expect(made).not.toMatch(/var\(|class=|href=|<script|<style/);
    expect(made).toContain('hsl(200, 50%, 80%)');
    expect(made).toContain('url(#arrow)');
    expect(made).toContain('url(#hatch)');
    expect(made).toContain('font-family="&#39;A&#39;, sans"');
  });

  test('does not let names out of their place', () => {
    const made = file([text('t', 'box-text', [0, 0], '</text><script>alert(1)</script>')], ']]><x>');
    expect(made).not.toContain('<script>');
    expect(made).toContain('&lt;script&gt;');
    expect(made).toContain('<title>]]&gt;&lt;x&gt;</title>');
  });
});
