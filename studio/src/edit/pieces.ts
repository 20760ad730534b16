// Edits of what is selected in a template: move, delete, copy, paste. What is selected is a set of codes of pieces.

import type { SheetEdge, SheetLabel, SheetLocation, SheetTemplate, Spot, SheetBranchpoint } from '../api/types';
import { codeOf, type Piece } from '../automaton/piece';
import { shifted } from './shape';

export type Selection = ReadonlySet<string>;

/** The codes of everything that can be selected with a click on its own: no labels, no nails. */
export function everything(template: SheetTemplate): Set<string> {
  return new Set([
    ...template.locations.map((_, at) => `location:${at}`),
    ...template.branchpoints.map((_, at) => `branchpoint:${at}`),
    ...template.edges.map((_, at) => `edge:${at}`),
  ]);
}

/** What of a selection there is in a template. */
export function still(template: SheetTemplate, selection: Selection): Selection {
  const there = (code: string): boolean => {
    const [kind, at = '0', inner = '0'] = code.split(':');
    const edge = template.edges[Number(at)];
    const location = template.locations[Number(at)];
    if (kind === 'location') return location !== undefined;
    if (kind === 'branchpoint') return template.branchpoints[Number(at)] !== undefined;
    if (kind === 'edge') return edge !== undefined;
    if (kind === 'nail') return edge?.nails[Number(inner)] !== undefined;
    if (kind === 'edge-label') return edge?.labels[Number(inner)] !== undefined;
    return inner === 'name' ? !!location?.name : location?.labels[Number(inner)] !== undefined;
  };
  const kept = [...selection].filter(there);
  return kept.length === selection.size ? selection : new Set(kept);
}

const has = (selection: Selection, piece: Piece): boolean => selection.has(codeOf(piece));

/** The ids of the locations and branch points of a selection. */
export function nodesOf(template: SheetTemplate, selection: Selection): Set<string> {
  return new Set([
    ...template.locations.filter((_, at) => selection.has(`location:${at}`)).map(({ id }) => id),
    ...template.branchpoints.filter((_, at) => selection.has(`branchpoint:${at}`)).map(({ id }) => id),
  ]);
}

/** The list with some items changed; the same list if none was. */
function each<T>(list: T[], change: (item: T, at: number) => T): T[] {
  let same = true;
  const changed = list.map((item, at) => {
    const other = change(item, at);
    same &&= other === item;
    return other;
  });
  return same ? list : changed;
}

/**
 * With what is selected moved. Labels and nails go along with what they belong to; of an edge that only one end is moved
 * of, the labels go half the way and the nails stay.
 */
export function moved(template: SheetTemplate, selection: Selection, by: Spot): SheetTemplate {
  if ((by.x === 0 && by.y === 0) || selection.size === 0) return template;
  const nodes = nodesOf(template, selection);
  const half = { x: Math.round(by.x / 2), y: Math.round(by.y / 2) };
  return {
    ...template,
    locations: each(template.locations, (location, at) => movedLocation(location, at, selection, by)),
    branchpoints: each(template.branchpoints, (branch, at) =>
      has(selection, { kind: 'branchpoint', at }) ? { ...branch, at: shifted(branch.at, by) } : branch,
    ),
    edges: each(template.edges, (edge, at) => {
      const ends = Number(nodes.has(edge.source)) + Number(nodes.has(edge.target));
      return movedEdge(edge, at, selection, by, ends === 2 ? by : ends === 1 ? half : null, ends === 2);
    }),
  };
}

function movedLabels(labels: SheetLabel[], by: Spot): SheetLabel[] {
  return labels.map((label) => ({ ...label, at: shifted(label.at, by) }));
}

function movedLocation(location: SheetLocation, at: number, selection: Selection, by: Spot): SheetLocation {
  if (has(selection, { kind: 'location', at })) {
    const { at: centre, name_at, labels } = location;
    return { ...location, at: shifted(centre, by), name_at: shifted(name_at, by), labels: movedLabels(labels, by) };
  }
  const labels = each(location.labels, (label, number) =>
    has(selection, { kind: 'location-label', at, label: number }) ? { ...label, at: shifted(label.at, by) } : label,
  );
  const name = has(selection, { kind: 'location-label', at, label: null });
  if (labels === location.labels && !name) return location;
  return { ...location, labels, name_at: name ? shifted(location.name_at, by) : location.name_at };
}

function movedEdge(
  edge: SheetEdge, at: number, selection: Selection, by: Spot, along: Spot | null, whole: boolean,
): SheetEdge {
  const own = has(selection, { kind: 'edge', at }) && !along;
  const nails = each(edge.nails, (nail, number) =>
    whole || own || has(selection, { kind: 'nail', at, nail: number }) ? shifted(nail, by) : nail,
  );
  const labels = each(edge.labels, (label, number) => {
    const way = own || has(selection, { kind: 'edge-label', at, label: number }) ? by : along;
    return way ? { ...label, at: shifted(label.at, way) } : label;
  });
  return nails === edge.nails && labels === edge.labels ? edge : { ...edge, nails, labels };
}

/** Without what is selected, and without the edges that led there. */
export function removed(template: SheetTemplate, selection: Selection): SheetTemplate {
  const nodes = nodesOf(template, selection);
  const gone = (at: number, edge: SheetEdge): boolean =>
    selection.has(`edge:${at}`) || nodes.has(edge.source) || nodes.has(edge.target);
  return {
    ...template,
    initial: nodes.has(template.initial) ? '' : template.initial,
    locations: template.locations.flatMap((location, at) => {
      if (selection.has(`location:${at}`)) return [];
      const labels = location.labels.filter((_, label) => !has(selection, { kind: 'location-label', at, label }));
      const unnamed = has(selection, { kind: 'location-label', at, label: null });
      if (labels.length === location.labels.length && !unnamed) return [location];
      return [{ ...location, labels, name: unnamed ? '' : location.name }];
    }),
    branchpoints: template.branchpoints.filter((_, at) => !selection.has(`branchpoint:${at}`)),
    edges: template.edges.flatMap((edge, at) => {
      if (gone(at, edge)) return [];
      const nails = edge.nails.filter((_, nail) => !has(selection, { kind: 'nail', at, nail }));
      const labels = edge.labels.filter((_, label) => !has(selection, { kind: 'edge-label', at, label }));
      return nails.length === edge.nails.length && labels.length === edge.labels.length ? [edge] : [{ ...edge, nails, labels }];
    }),
  };
}

/** Pieces that were copied. */
export interface Copied {
  locations: SheetLocation[];
  branchpoints: SheetBranchpoint[];
  edges: SheetEdge[];
}

/** A copy of what is selected: locations and branch points, and the edges between them. */
export function copied(template: SheetTemplate, selection: Selection): Copied {
  const nodes = nodesOf(template, selection);
  return {
    locations: template.locations.filter(({ id }) => nodes.has(id)),
    branchpoints: template.branchpoints.filter(({ id }) => nodes.has(id)),
    edges: template.edges.filter((edge, at) =>
      nodes.size > 0 ? nodes.has(edge.source) && nodes.has(edge.target) : selection.has(`edge:${at}`),
    ),
  };
}

function freeName(name: string, taken: Set<string>): string {
  if (name === '') return '';
  let free = name;
  const stem = name.replace(/\d+$/, '');
  for (let number = 2; taken.has(free); number++) free = `${stem}${number}`;
  taken.add(free);
  return free;
}

/** With a copy added, and what is new in it selected. Edges that were copied alone go between the ends they had. */
export function pasted(
  template: SheetTemplate, copy: Copied, ids: Iterator<string, never>, by: Spot,
): { template: SheetTemplate; selection: Selection } {
  const names = new Set(template.locations.map(({ name }) => name));
  const known = new Set([...template.locations, ...template.branchpoints].map(({ id }) => id));
  const renamed = new Map([...copy.locations, ...copy.branchpoints].map(({ id }) => [id, ids.next().value]));
  const locations = copy.locations.map((location) => ({
    ...movedLocation(location, 0, new Set(['location:0']), by),
    id: renamed.get(location.id) ?? '',
    name: freeName(location.name, names),
  }));
  const branchpoints = copy.branchpoints.map((branch) => ({
    ...branch, id: renamed.get(branch.id) ?? '', at: shifted(branch.at, by),
  }));
  const edges = copy.edges.flatMap((edge) => {
    const [source, target] = [renamed.get(edge.source) ?? edge.source, renamed.get(edge.target) ?? edge.target];
    const ends = renamed.has(edge.source) || (known.has(source) && known.has(target));
    return ends ? [{ ...movedEdge(edge, 0, new Set(), by, by, true), id: '', source, target }] : [];
  });
  const selection = new Set([
    ...locations.map((_, at) => `location:${template.locations.length + at}`),
    ...branchpoints.map((_, at) => `branchpoint:${template.branchpoints.length + at}`),
    ...edges.map((_, at) => `edge:${template.edges.length + at}`),
  ]);
  return {
    template: {
      ...template,
      initial: template.initial || (locations[0]?.id ?? ''),
      locations: [...template.locations, ...locations],
      branchpoints: [...template.branchpoints, ...branchpoints],
      edges: [...template.edges, ...edges],
    },
    selection,
  };
}
