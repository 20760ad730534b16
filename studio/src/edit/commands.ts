// What can be done with the template that is shown: by keys, by buttons, by the pointer.

import * as api from '../api/client';
import type { SheetTemplate, Spot } from '../api/types';
import { GRID, snapped } from '../automaton/geometry';
import { codeOf, pieceOf, type Piece } from '../automaton/piece';
import { withTemplate } from '../model/change';
import { studio } from '../model/studio.svelte';
import { desk } from './desk.svelte';
import { copied, everything, moved, nodesOf, pasted, removed } from './pieces';
import { addBranchpoint, addLocation, connect, freshIds } from './shape';

function freshId(): Iterator<string, never> {
  return freshIds(studio.sheet?.body.kind === 'drawn' ? studio.sheet.body.templates : []);
}

/** The id of a location or branch point; nothing for other pieces. */
export function idOf(template: SheetTemplate, piece: Piece | null): string | null {
  if (piece?.kind === 'location') return template.locations[piece.at]?.id ?? null;
  return piece?.kind === 'branchpoint' ? (template.branchpoints[piece.at]?.id ?? null) : null;
}

/** Adds a location or branch point and selects it. */
export function add(kind: 'location' | 'branchpoint', spot: Spot): void {
  const template = desk.template;
  if (!template) return;
  const id = freshId().next().value;
  const at = snapped(spot);
  if (kind === 'location') desk.edit('add a location', (one) => addLocation(one, id, at));
  else desk.edit('add a branch point', (one) => addBranchpoint(one, id, at));
  desk.pick({ kind, at: kind === 'location' ? template.locations.length : template.branchpoints.length });
}

/** Draws an edge and selects it. */
export function join(source: string, target: string): void {
  const template = desk.template;
  if (!template) return;
  desk.edit('add an edge', (one) => connect(one, source, target));
  desk.use('select');
  desk.pick({ kind: 'edge', at: template.edges.length });
}

/** A location or branch point was pointed at while edges are drawn: the first is the source, the second the target. */
export function pickEnd(piece: Piece | null): void {
  const id = desk.template ? idOf(desk.template, piece) : null;
  if (id === null || !piece) return;
  if (desk.source !== null) join(desk.source, id);
  else {
    desk.source = id;
    desk.cursor = codeOf(piece);
  }
}

/** Begins an edge: at the location that is selected, if it is one. */
export function beginEdge(): void {
  desk.use('edge');
  const { template, single } = desk;
  if (template) desk.source = idOf(template, single);
}

export function deleteSelected(): void {
  const selection = desk.selected;
  if (selection.size === 0) return;
  desk.edit('delete', (template) => removed(template, selection));
  desk.select([]);
}

export function selectAll(): void {
  if (desk.template) desk.select(everything(desk.template));
}

export function copySelected(): void {
  const { template, selected } = desk;
  if (!template || selected.size === 0) return;
  desk.clipboard = { copy: copied(template, selected), template: studio.template, times: 0 };
}

export function cutSelected(): void {
  copySelected();
  deleteSelected();
}

/** Adds what was copied: beside the original, or at the same place of another template. */
export function paste(): void {
  const { clipboard } = desk;
  if (!clipboard || !desk.template) return;
  const times = clipboard.template === studio.template ? clipboard.times + 1 : clipboard.times;
  desk.clipboard = { ...clipboard, times };
  insert(clipboard.copy, 'paste', times * 2 * GRID);
}

export function duplicateSelected(): void {
  const { template, selected } = desk;
  if (template && selected.size > 0) insert(copied(template, selected), 'duplicate', 2 * GRID);
}

function insert(copy: ReturnType<typeof copied>, what: string, far: number): void {
  const template = desk.template;
  if (!template) return;
  const result = pasted(template, copy, freshId(), { x: far, y: far });
  desk.edit(what, () => result.template);
  desk.select(result.selection);
}

/** Moves what is selected; the steps of one go are undone together. */
export function nudge(by: Spot): void {
  const selection = desk.selected;
  const key = `nudge ${[...selection].join(' ')}`;
  desk.edit('move', (template) => moved(template, selection, by), key);
}

/** Brings what is selected onto one line: that of the first of the selected locations. */
export function align(axis: 'x' | 'y'): void {
  const selection = desk.selected;
  desk.edit(axis === 'x' ? 'align in a column' : 'align in a row', (template) => {
    const codes = [...selection].filter((code) => /^(location|branchpoint):/.test(code));
    const places = new Map(codes.map((code) => [code, spotOf(template, code)]));
    const first = places.get(codes[0] ?? '');
    if (!first) return template;
    return codes.reduce((now, code) => {
      const at = places.get(code);
      const by = at ? { x: axis === 'x' ? first.x - at.x : 0, y: axis === 'y' ? first.y - at.y : 0 } : { x: 0, y: 0 };
      return moved(now, new Set([code]), by);
    }, template);
  });
}

function spotOf(template: SheetTemplate, code: string): Spot | undefined {
  const piece = pieceOf(code);
  const list = piece?.kind === 'location' ? template.locations : template.branchpoints;
  return list[piece?.at ?? -1]?.at;
}

/** Asks for another layout, of everything or of the labels. */
export async function arrange(labelsOnly: boolean): Promise<void> {
  const { template } = desk;
  const index = studio.template;
  if (!template) return;
  try {
    const arranged = await api.arrange({ template, labels_only: labelsOnly });
    const what = labelsOnly ? 'place the labels' : 'arrange the template';
    // Whoever went on editing meanwhile keeps what was done since.
    studio.edit(what, (sheet) => withTemplate(sheet, index, (now) => (now === template ? arranged : now)));
  } catch (error) {
    studio.errorMessage = (error as Error).message;
  }
}

/** Makes the selected location the initial one. */
export function makeInitial(): void {
  const { template, single } = desk;
  const id = template && single?.kind === 'location' ? idOf(template, single) : null;
  if (id !== null) desk.edit('make it the initial location', (one) => ({ ...one, initial: id }));
}

/** Whether a selection holds locations or branch points that can be aligned. */
export function alignable(): boolean {
  return desk.template !== null && nodesOf(desk.template, desk.selected).size > 1;
}
