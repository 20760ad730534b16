// Where labels and the names of processes go.

import { expect, test } from 'vitest';

import type { SheetTemplate } from '../api/types';
import { locationLabelPlace, overlap, takenBoxes, tokenPlaces } from './labels';
import { boxOf } from './text';

const location = (id: string, x: number, y: number) => ({
  id, name: id, at: { x, y }, name_at: { x: x - 20, y: y - 30 }, urgent: false, committed: false, colour: '', labels: [],
});

const template: SheetTemplate = {
  name: 'T', parameters: '', declarations: '', name_at: null, parameters_at: null, initial: 'a',
  locations: [location('a', 0, 0), location('b', 260, 120), location('c', 130, 260)],
  branchpoints: [],
  edges: [{
    id: '', source: 'a', target: 'b', nails: [], colour: '', uncontrollable: false, action: '',
    labels: [{ kind: 'guard', text: 'x > DELAY && turn == id', at: { x: 30, y: 10 }, colour: '' }],
  }],
};

test('a new label of a location lies upon nothing', () => {
  const box = boxOf('x <= 5', locationLabelPlace(template, 0, 'x <= 5'));
  for (const other of takenBoxes(template)) expect(overlap(box, other)).toBe(0);
});

test('what is said of processes lies upon no label, and not upon each other', () => {
  const said = new Map([[0, 'Process(1), Process(2)'], [1, 'Process(3), +4'], [7, 'nowhere']]);
  const places = tokenPlaces(template, said);
  expect([...places.keys()]).toEqual([0, 1]);
  const boxes = [...places].map(([at, place]) => boxOf(said.get(at) ?? '', place));
  for (const [at, box] of boxes.entries()) {
    for (const other of [...takenBoxes(template), ...boxes.slice(at + 1)]) expect(overlap(box, other)).toBe(0);
  }
});
