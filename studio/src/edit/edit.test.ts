// Dragging, walking and diagnostics on a drawing.

import { describe, expect, it } from 'vitest';

import type { Part, SheetTemplate, Told } from '../api/types';
import { boxBetween, dragged, inBox, previewOf, type Drag } from './drag';
import { layersOf } from './layers';
import { addBranchpoint, addLocation, connect } from './shape';
import { byNode, byPiece, diagnosticMarks } from './diagnosticMarks';
import { centreOf, neighbour, ownerOf, towards, walkOrder } from './walk';

const EMPTY: SheetTemplate = {
  name: 'P', parameters: '', declarations: '', name_at: null, parameters_at: null, initial: '', locations: [],
  branchpoints: [], edges: [],
};
const NODES = addLocation(addLocation(addLocation(EMPTY, 'a', { x: 0, y: 0 }), 'b', { x: 170, y: 0 }), 'c', { x: 0, y: 170 });
const TEMPLATE = connect(connect(addBranchpoint(NODES, 'p', { x: 85, y: 85 }), 'b', 'a'), 'a', 'p');

describe('dragging', () => {
  const start: Drag = { kind: 'move', start: { x: 1, y: 1 }, anchor: { x: 0, y: 0 }, by: { x: 0, y: 0 }, pieces: new Set(['location:0']) };

  it('brings a location onto the grid, or beside it if asked', () => {
    expect(dragged(start, { x: 21, y: 1 }, false)).toMatchObject({ by: { x: 17, y: 0 } });
    expect(dragged(start, { x: 21, y: 1 }, true)).toMatchObject({ by: { x: 20, y: 0 } });
  });

  it('previews what will be when it ends, and shares what stays', () => {
    const preview = previewOf(TEMPLATE, dragged(start, { x: 35, y: 1 }, false));
    expect(preview.locations[0]!.at).toEqual({ x: 34, y: 0 });
    expect(preview.locations[1]).toBe(TEMPLATE.locations[1]);
    expect(previewOf(TEMPLATE, null)).toBe(TEMPLATE);
  });

  it('draws apart what moves as a whole and what changes its shape', () => {
    const both = { ...start, pieces: new Set(['location:0', 'location:1', 'location:2']) };
    const layers = layersOf(TEMPLATE, both)!;
    expect(layers.rigid).toEqual({ locations: [0, 1, 2], branchpoints: [], edges: [0] });
    expect(layers.loose).toEqual({ locations: [], branchpoints: [], edges: [1] });
    expect(layers.away).toEqual(new Set(['location:0', 'location:1', 'location:2', 'edge:0', 'edge:1']));
    const label = layersOf(TEMPLATE, { ...start, pieces: new Set(['location-label:2:name']) })!;
    expect(label.loose.locations).toEqual([2]);
    expect(layersOf(TEMPLATE, null)).toBeNull();
  });

  it('of an edge bends it', () => {
    const preview = previewOf(TEMPLATE, { kind: 'bend', edge: 0, start: { x: 85, y: 0 }, now: { x: 85, y: 34 } });
    expect(preview.edges[0]!.nails).toEqual([{ x: 85, y: 34 }]);
  });

  it('of a band selects what lies in it, with the edges between', () => {
    expect(inBox(TEMPLATE, boxBetween({ x: 200, y: 40 }, { x: -20, y: -20 }))).toEqual(new Set(['location:0', 'location:1', 'edge:0']));
  });

  it('of a band round a label only selects that', () => {
    const at = TEMPLATE.locations[0]!.name_at;
    expect(inBox(TEMPLATE, boxBetween(at, { x: at.x + 4, y: at.y + 4 }))).toEqual(new Set(['location-label:0:name']));
  });
});

describe('walking', () => {
  it('goes to every location, branch point and edge once', () => {
    const order = walkOrder(TEMPLATE);
    expect(new Set(order).size).toBe(order.length);
    expect(order).toHaveLength(3 + 1 + 2);
    expect(neighbour(TEMPLATE, null, 1)).toBe('location:0');
    expect(neighbour(TEMPLATE, 'location:0', 1)).toBe('edge:1');
    expect(neighbour(TEMPLATE, order.at(-1)!, 1)).toBeNull();
    expect(neighbour(TEMPLATE, 'location-label:0:name', 1)).toBe('edge:1');
  });

  it('finds what lies in a direction', () => {
    expect(towards(TEMPLATE, { x: 0, y: 0 }, { x: 1, y: 0 })).toBe('location:1');
    expect(towards(TEMPLATE, { x: 0, y: 0 }, { x: 0, y: 1 })).toBe('location:2');
    expect(towards(TEMPLATE, { x: 0, y: 0 }, { x: -1, y: 0 })).toBeNull();
  });

  it('knows where pieces are', () => {
    expect(centreOf(TEMPLATE, 'edge:0')).toEqual({ x: 85, y: 0 });
    expect(centreOf(TEMPLATE, 'branchpoint:0')).toEqual({ x: 85, y: 85 });
    expect(centreOf(TEMPLATE, 'edge:9')).toBeNull();
    expect(ownerOf('nail:4:1')).toBe('edge:4');
  });
});

describe('diagnostics', () => {
  const told = (severity: string, part: Part): Told => ({
    severity, code: 'U1', message: 'm', help: [], explanation: '', labels: [], place: { part, from: 0, to: 1, line: 1, column: 1 },
  });
  const all = [
    told('warning', { part: 'edge', template: 1, edge: 3, label: 0 }),
    told('error', { part: 'edge', template: 1, edge: 3, label: null }),
    told('error', { part: 'location', template: 0, location: 2, label: null }),
    told('error', { part: 'declarations' }),
  ];

  it('are marked where they belong, by the worst of them', () => {
    const marks = diagnosticMarks(byPiece(all, 1));
    expect(marks.edges.get(3)?.severity).toBe('error');
    expect(marks.locations.size).toBe(0);
  });

  it('are counted in the tree', () => {
    const counts = byNode(all);
    expect(counts.get('drawing:1')).toEqual({ errors: 1, warnings: 1 });
    expect(counts.get('declarations')).toEqual({ errors: 1, warnings: 0 });
  });
});
