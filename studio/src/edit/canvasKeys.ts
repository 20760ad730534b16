// Keys on the drawing of a template. Those that other controls use too, such as Tab and the arrows, count only while the
// drawing has the focus; the rest are registered for the whole view.

import { pieceOf, type Piece } from '../automaton/piece';
import { GRID } from '../automaton/geometry';
import type { Viewport } from '../automaton/viewport.svelte';
import type { Binding } from '../ui/keys.svelte';
import {
  add, beginEdge, copySelected, cutSelected, deleteSelected, duplicateSelected, makeInitial, nudge, paste, pickEnd, selectAll,
} from './commands';
import { desk } from './desk.svelte';
import { centreOf, directionOf, neighbour, ownerOf, towards } from './walk';

/** Opens the texts of a piece where it is drawn. */
export function editInPlace(piece: Piece | null): void {
  const template = desk.template;
  if (!piece || !template || piece.kind === 'branchpoint') return;
  desk.pick(piece);
  const isEdge = piece.kind === 'edge' || piece.kind === 'nail' || piece.kind === 'edge-label';
  const labels = (isEdge ? template.edges : template.locations)[piece.at]?.labels ?? [];
  const chosen = 'label' in piece && piece.label !== null ? labels[piece.label]?.kind : undefined;
  const usual = isEdge ? (labels.find(({ text }) => text.trim() !== '')?.kind ?? 'guard') : 'name';
  desk.inPlace = { piece, field: chosen ?? usual };
}

function goTo(code: string | null, viewport: Viewport, extend = false): void {
  const [template, piece] = [desk.template, code ? pieceOf(code) : null];
  if (!template || !code || !piece) return;
  if (desk.tool === 'edge') desk.cursor = code;
  else if (extend) desk.select([...desk.selected, code]);
  else desk.pick(piece);
  desk.cursor = code;
  const centre = centreOf(template, code);
  if (centre) viewport.reveal(centre);
}

function middle(viewport: Viewport): { x: number; y: number } {
  return viewport.toDrawing({ x: viewport.width / 2, y: viewport.height / 2 });
}

/** A place for a new location: beside the one that is selected, or in the middle of the view. */
function freeSpot(viewport: Viewport): { x: number; y: number } {
  const { template, single } = desk;
  const from = template && single?.kind === 'location' ? template.locations[single.at]?.at : undefined;
  let spot = from ? { x: from.x + 8 * GRID, y: from.y } : middle(viewport);
  const taken = (): boolean =>
    (template?.locations ?? []).some(({ at }) => Math.hypot(at.x - spot.x, at.y - spot.y) < 2 * GRID);
  while (taken()) spot = { x: spot.x, y: spot.y + 4 * GRID };
  return spot;
}

function arrow(event: KeyboardEvent, viewport: Viewport): boolean {
  const [direction, template] = [directionOf(event.key), desk.template];
  if (!direction || !template) return false;
  const walks = event.altKey || desk.selected.size === 0 || desk.tool === 'edge';
  if (!walks) {
    const step = event.shiftKey ? 1 : GRID;
    nudge({ x: direction.x * step, y: direction.y * step });
    return true;
  }
  const from = desk.cursor ? centreOf(template, desk.cursor) : null;
  goTo(from ? towards(template, from, direction) : neighbour(template, null, 1), viewport, event.altKey && event.shiftKey);
  return true;
}

function enter(viewport: Viewport): boolean {
  if (desk.tool === 'location' || desk.tool === 'branchpoint') {
    add(desk.tool, freeSpot(viewport));
    desk.use('select');
  } else if (desk.tool === 'edge') pickEnd(desk.cursor ? pieceOf(ownerOf(desk.cursor)) : null);
  else if (desk.single) editInPlace(desk.single);
  else return false;
  return true;
}

/** Keys with Ctrl that mean something else for texts of the page. */
const WITH_CTRL: Record<string, () => void> = {
  a: selectAll, c: copySelected, x: cutSelected, v: paste, d: duplicateSelected,
};

/** Does what a key does while the drawing has the focus. Tells whether it did anything. */
export function canvasKey(event: KeyboardEvent, viewport: Viewport): boolean {
  if (event.ctrlKey || event.metaKey) {
    const does = event.shiftKey || event.altKey ? undefined : WITH_CTRL[event.key.toLowerCase()];
    does?.();
    return does !== undefined;
  }
  if (event.key === 'Enter') return enter(viewport);
  if (event.key !== 'Tab') return arrow(event, viewport);
  // With nothing selected, Tab leaves the drawing: nobody is caught in it.
  if (!desk.template || desk.cursor === null) return false;
  const next = neighbour(desk.template, desk.cursor, event.shiftKey ? -1 : 1);
  goTo(next, viewport);
  return next !== null;
}

function escape(): void {
  if (desk.inPlace) desk.inPlace = null;
  else if (desk.tool !== 'select') desk.use('select');
  else desk.select([]);
}

/** The keys of the drawing, for the overlay of help; those that are only listed say which keys in words. */
export function drawingBindings(fit: () => void): Binding[] {
  const none = (): void => {};
  return [
    { keys: 'L', does: 'Add a location: click, or Enter', run: () => desk.use('location') },
    { keys: 'E', does: 'Draw an edge: choose two locations', run: beginEdge },
    { keys: 'B', does: 'Add a branch point: click, or Enter', run: () => desk.use('branchpoint') },
    { keys: 'Double click', does: 'Add a location; on an element, edit its texts', run: none },
    { keys: 'F2', does: 'Edit the texts of the selection in place (also Enter)', run: () => editInPlace(desk.single) },
    { keys: 'I', does: 'Make the selected location the initial one', run: makeInitial },
    { keys: 'Delete', does: 'Delete the selection', run: deleteSelected },
    { keys: 'Backspace', does: 'Delete the selection', run: deleteSelected },
    { keys: 'Tab, Shift+Tab', does: 'Next and previous element, if one is selected', run: none },
    { keys: 'Arrows', does: 'Move what is selected; with Shift by one point; if nothing is selected, select', run: none },
    { keys: 'Alt+Arrows', does: 'Select the next location in that direction; with Shift, add it', run: none },
    { keys: 'Ctrl+A, C, X, V, D', does: 'Select all, copy, cut, paste (also into another template), duplicate', run: none },
    { keys: 'Escape', does: 'Clear the selection, or cancel', run: escape },
    { keys: 'F', does: 'Fit the drawing (also 0)', run: fit },
    { keys: '+, -, wheel', does: 'Zoom; drag with the middle button or the space bar to pan', run: none },
  ];
}
