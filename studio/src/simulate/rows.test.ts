// Tests of rows.ts.

import { expect, test } from 'vitest';

import { rowsOf } from './rows';
import { network, view } from './samples';

const CHANGED = { processes: [1], edges: [], variables: [0], clocks: [1] };

function told(filter = '', change = {}): string[] {
  return rowsOf(network(2), view(2, { variables: [3, -1], changed: CHANGED, ...change }), filter).map((row) => {
    if (row.kind === 'heading') return `# ${row.text} ${row.count}`;
    return row.kind === 'constraint' ? row.text : `${row.name} = ${row.value}${row.changed ? ' *' : ''}`;
  });
}

test('rows are places, variables and clocks, and what changed is marked', () => {
  expect(told()).toEqual([
    '# Locations 2', 'P0 = A', 'P1 = A *', '# Variables 2', 'n = 3 *', 'id = -1', '# Clocks 2', 'x = 0', 'y = 5/2 *',
  ]);
});

test('a filter leaves what it occurs in, and no empty headings', () => {
  expect(told('ID')).toEqual(['# Variables 1', 'id = -1']);
  expect(told('5/2')).toEqual(['# Clocks 1', 'y = 5/2 *']);
  expect(told('nothing like it')).toEqual([]);
});

test('zones are constraints', () => {
  expect(told('x', { clocks: [], zone: ['x <= 5', 'y - x < 2', 'y > 1'] })).toEqual(['# Zone 2', 'x <= 5', 'y - x < 2']);
});
