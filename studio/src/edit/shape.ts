// Edits of a template: each makes a new one that shares whatever stayed the same.

import type { SheetEdge, SheetLabel, SheetLocation, SheetTemplate, Spot } from '../api/types';
import { GRID, nailPlace } from '../automaton/geometry';
import { edgeLabelPlace, locationLabelPlace } from '../automaton/labels';
import { replaced, withEdge, withLocation } from '../model/change';

/** Where drawings end. The server's layout has the same bounds. */
const FAR = 1_000_000;

const within = (value: number): number => Math.round(Math.min(FAR, Math.max(-FAR, value)));

/** A place, shifted. */
export const shifted = (spot: Spot, by: Spot): Spot => ({ x: within(spot.x + by.x), y: within(spot.y + by.y) });

/** Ids that nothing in the templates of a model has yet. */
export function* freshIds(templates: readonly SheetTemplate[]): Generator<string, never> {
  let most = -1;
  for (const template of templates) {
    for (const { id } of [...template.locations, ...template.branchpoints]) {
      const number = /^id(\d{1,9})$/.exec(id)?.[1];
      if (number) most = Math.max(most, Number(number));
    }
  }
  for (;;) yield `id${(most += 1)}`;
}

/** A name such as `L3` that no location of a template has. */
function freshName(template: SheetTemplate): string {
  const names = new Set(template.locations.map((location) => location.name));
  for (let number = template.locations.length; ; number++) if (!names.has(`L${number}`)) return `L${number}`;
}

/** With a location more, the last in the list; it is the initial one if there was none. */
export function addLocation(template: SheetTemplate, id: string, at: Spot): SheetTemplate {
  const name = freshName(template);
  const centre = shifted(at, { x: 0, y: 0 });
  const location: SheetLocation = {
    id, name: '', at: centre, name_at: centre, urgent: false, committed: false, colour: '', labels: [],
  };
  const added = { ...template, initial: template.initial || id, locations: [...template.locations, location] };
  return setLocationName(added, template.locations.length, name);
}

/** With a branch point more, the last in the list. */
export function addBranchpoint(template: SheetTemplate, id: string, at: Spot): SheetTemplate {
  return { ...template, branchpoints: [...template.branchpoints, { id, at: shifted(at, { x: 0, y: 0 }), colour: '' }] };
}

/** With an edge more, the last in the list. A loop gets nails, so that other programs draw it as one, too. */
export function connect(template: SheetTemplate, source: string, target: string): SheetTemplate {
  const nails = source === target ? loopNails(template, source) : [];
  const edge: SheetEdge = { id: '', source, target, labels: [], nails, colour: '', uncontrollable: false, action: '' };
  return { ...template, edges: [...template.edges, edge] };
}

function loopNails(template: SheetTemplate, id: string): Spot[] {
  const centre = template.locations.find((location) => location.id === id)?.at;
  if (!centre) return [];
  const loops = template.edges.filter((edge) => edge.source === id && edge.target === id).length;
  const far = 3 * GRID + GRID * Math.floor(loops / 4);
  const turn = (x: number, y: number): Spot =>
    ([{ x, y }, { x: -x, y }, { x, y: -y }, { x: -x, y: -y }] as const)[loops % 4] ?? { x, y };
  return [turn(-GRID, -far), turn(GRID, -far)].map((by) => shifted(centre, by));
}

/** With a nail in an edge, where it belongs. Tells its number, too. */
export function addNail(template: SheetTemplate, edge: number, spot: Spot): [SheetTemplate, number] {
  const found = template.edges[edge];
  const [from, to] = [nodeAt(template, found?.source), nodeAt(template, found?.target)];
  if (!found || !from || !to) return [template, 0];
  const place = nailPlace(from, found.nails, to, spot);
  const nails = [...found.nails.slice(0, place), shifted(spot, { x: 0, y: 0 }), ...found.nails.slice(place)];
  return [withEdge(template, edge, (one) => ({ ...one, nails })), place];
}

/** Where a location or branch point is. */
export function nodeAt(template: SheetTemplate, id: string | undefined): Spot | undefined {
  const is = (node: { id: string }): boolean => node.id === id;
  return (template.locations.find(is) ?? template.branchpoints.find(is))?.at;
}

/** The order in which labels are listed, and tried to be placed below each other. */
const ORDER = ['select', 'guard', 'synchronisation', 'assignment', 'invariant', 'exponentialrate', 'probability', 'comments'];
const rank = (kind: string): number => (ORDER.indexOf(kind) + ORDER.length + 1) % (ORDER.length + 1);

/** With another text as the label of a kind. A label that is new comes where it overlaps nothing; an empty one goes. */
function withText(labels: SheetLabel[], kind: string, text: string, place: () => Spot): SheetLabel[] {
  const at = labels.findIndex((label) => label.kind === kind);
  if (at >= 0 && text === '') return labels.filter((_, other) => other !== at);
  if (at >= 0) return replaced(labels, at, (label) => ({ ...label, text }));
  if (text === '') return [...labels];
  const added = { kind, text, at: place(), colour: '' };
  const before = labels.findIndex((label) => rank(label.kind) > rank(kind));
  return before < 0 ? [...labels, added] : [...labels.slice(0, before), added, ...labels.slice(before)];
}

/** The template without a label, so that it is placed anew. */
const unlabelled = <T extends { labels: SheetLabel[] }>(owner: T, kind: string): T => ({
  ...owner, labels: owner.labels.filter((label) => label.kind !== kind),
});

/** With another text as a label of an edge. `anew` finds another place for it, too: it has only just been begun. */
export function setEdgeLabel(given: SheetTemplate, at: number, kind: string, text: string, anew = false): SheetTemplate {
  const template = anew ? withEdge(given, at, (edge) => unlabelled(edge, kind)) : given;
  return withEdge(template, at, (edge) => ({
    ...edge, labels: withText(edge.labels, kind, text, () => edgeLabelPlace(template, at, text)),
  }));
}

/** With another text as a label of a location. */
export function setLocationLabel(given: SheetTemplate, at: number, kind: string, text: string, anew = false): SheetTemplate {
  const template = anew ? withLocation(given, at, (location) => unlabelled(location, kind)) : given;
  return withLocation(template, at, (location) => ({
    ...location, labels: withText(location.labels, kind, text, () => locationLabelPlace(template, at, text)),
  }));
}

export function setLocationName(template: SheetTemplate, at: number, name: string): SheetTemplate {
  return withLocation(template, at, (location) => ({
    ...location, name, name_at: location.name === '' ? locationLabelPlace(template, at, name) : location.name_at,
  }));
}
