// Edits of templates.

import { describe, expect, it } from 'vitest';

import type { Sheet, SheetTemplate } from '../api/types';
import { overlap, takenBoxes } from '../automaton/labels';
import { boxOf } from '../automaton/text';
import { addTemplate, duplicateTemplate, moveTemplate } from './drawing';
import { copied, everything, moved, pasted, removed, still } from './pieces';
import { addLocation, addNail, connect, freshIds, setEdgeLabel, setLocationLabel, setLocationName } from './shape';

const EMPTY: SheetTemplate = {
  name: 'P', parameters: '', declarations: '', name_at: null, parameters_at: null, initial: '', locations: [],
  branchpoints: [], edges: [],
};

function pair(): SheetTemplate {
  const two = addLocation(addLocation(EMPTY, 'a', { x: 0, y: 0 }), 'b', { x: 200, y: 0 });
  return setEdgeLabel(connect(two, 'a', 'b'), 0, 'guard', 'x > 3');
}

function sheet(template: SheetTemplate): Sheet {
  const kept = { imports: '', charts: [], options: [] };
  return { name: 'm.xml', queries: [], body: { kind: 'drawn', declarations: '', templates: [template], instantiation: '', system: '', kept } };
}

const drawingOf = (of: Sheet): { templates: SheetTemplate[] } => (of.body.kind === 'drawn' ? of.body : { templates: [] });

describe('adding', () => {
  it('makes the first location the initial one, and names none twice', () => {
    const template = pair();
    expect(template.initial).toBe('a');
    expect(new Set(template.locations.map(({ name }) => name)).size).toBe(2);
  });

  it('gives loops nails, so that every program draws them', () => {
    const template = connect(pair(), 'a', 'a');
    expect(template.edges[1]!.nails).toHaveLength(2);
  });

  it('finds ids that no template has', () => {
    expect(freshIds([EMPTY, addLocation(EMPTY, 'id7', { x: 0, y: 0 })]).next().value).toBe('id8');
  });

  it('puts a nail between those it lies between', () => {
    let [template, place] = addNail(pair(), 0, { x: 100, y: 50 });
    expect(place).toBe(0);
    [template, place] = addNail(template, 0, { x: 160, y: 20 });
    expect(place).toBe(1);
    expect(template.edges[0]!.nails).toHaveLength(2);
  });
});

describe('labels', () => {
  it('come in their order, go when they are empty, and overlap nothing', () => {
    let template = setEdgeLabel(pair(), 0, 'select', 'i : int[0, 3]');
    template = setEdgeLabel(template, 0, 'assignment', 'x = 0');
    template = setLocationLabel(template, 0, 'invariant', 'x <= 5');
    expect(template.edges[0]!.labels.map(({ kind }) => kind)).toEqual(['select', 'guard', 'assignment']);
    for (const label of template.edges[0]!.labels) {
      const others = takenBoxes(setEdgeLabel(template, 0, label.kind, ''));
      expect(others.every((other) => overlap(other, boxOf(label.text, label.at)) === 0)).toBe(true);
    }
    expect(setEdgeLabel(template, 0, 'guard', '').edges[0]!.labels).toHaveLength(2);
  });

  it('keep their place while their text changes', () => {
    const template = setEdgeLabel(pair(), 0, 'guard', 'x > 33');
    expect(template.edges[0]!.labels[0]!.at).toEqual(pair().edges[0]!.labels[0]!.at);
    const anew = setEdgeLabel(template, 0, 'guard', 'x > 33 && y < 12345678', true);
    expect(anew.edges[0]!.labels[0]!.at).not.toEqual(template.edges[0]!.labels[0]!.at);
    const named = setLocationName(setLocationName(template, 0, ''), 0, 'Idle');
    expect(named.locations[0]!.name).toBe('Idle');
  });
});

describe('moving', () => {
  it('takes along what belongs to a location, and leaves everything else the same object', () => {
    const template = pair();
    const after = moved(template, new Set(['location:0']), { x: 10, y: 20 });
    expect(after.locations[0]!.at).toEqual({ x: 10, y: 20 });
    expect(after.locations[0]!.name_at.y).toBe(template.locations[0]!.name_at.y + 20);
    expect(after.locations[1]).toBe(template.locations[1]);
    expect(after.edges[0]!.labels[0]!.at.x).toBe(template.edges[0]!.labels[0]!.at.x + 5);
  });

  it('of nothing changes nothing', () => {
    const template = pair();
    expect(moved(template, new Set(['location:0']), { x: 0, y: 0 })).toBe(template);
    expect(moved(template, new Set(['edge-label:0:0']), { x: 1, y: 0 }).locations).toBe(template.locations);
  });

  it('stays within the bounds of drawings', () => {
    expect(moved(pair(), new Set(['location:0']), { x: 1e12, y: 0 }).locations[0]!.at.x).toBe(1_000_000);
  });
});

describe('deleting', () => {
  it('takes the edges of a location along, and the initial mark', () => {
    const after = removed(pair(), new Set(['location:0']));
    expect(after.locations).toHaveLength(1);
    expect(after.edges).toHaveLength(0);
    expect(after.initial).toBe('');
    expect(still(after, new Set(['location:0', 'location:1', 'edge:0']))).toEqual(new Set(['location:0']));
  });

  it('of a label or a name leaves the rest', () => {
    const before = pair();
    const after = removed(before, new Set(['edge-label:0:0', 'location-label:1:name']));
    expect(after.edges[0]!.labels).toHaveLength(0);
    expect(after.locations[1]!.name).toBe('');
    expect(after.locations[0]).toBe(before.locations[0]);
  });
});

describe('copying', () => {
  it('gives ids and names of their own, with the edges between', () => {
    const template = pair();
    const ids = ['c', 'd'][Symbol.iterator]() as Iterator<string, never>;
    const { template: after, selection } = pasted(template, copied(template, everything(template)), ids, { x: 34, y: 34 });
    expect(after.locations.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd']);
    expect(after.edges[1]).toMatchObject({ source: 'c', target: 'd' });
    expect(new Set(after.locations.map(({ name }) => name)).size).toBe(4);
    expect(selection).toEqual(new Set(['location:2', 'location:3', 'edge:1']));
  });

  it('of an edge alone makes one beside it, in its own template only', () => {
    const template = pair();
    const copy = copied(template, new Set(['edge:0']));
    const none = [][Symbol.iterator]() as Iterator<string, never>;
    expect(pasted(template, copy, none, { x: 0, y: 0 }).template.edges).toHaveLength(2);
    expect(pasted(EMPTY, copy, none, { x: 0, y: 0 }).template.edges).toHaveLength(0);
  });
});

describe('templates', () => {
  it('are added, copied with ids of their own, and reordered', () => {
    const one = addTemplate(sheet(pair()));
    const two = duplicateTemplate(one, 0);
    const names = drawingOf(two).templates.map(({ name }) => name);
    expect(names).toEqual(['P', 'P2', 'Template']);
    const ids = drawingOf(two).templates.flatMap(({ locations }) => locations.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
    expect(drawingOf(moveTemplate(two, 0, 1)).templates[1]!.name).toBe('P');
    expect(moveTemplate(two, 0, -1).body).toEqual(two.body);
  });
});
