// What the pointer does on the drawing of a template: select, move, connect, bend, and draw a band.

import type { Spot } from '../api/types';
import { border, RADIUS } from '../automaton/geometry';
import { pixelOf } from '../automaton/gestures';
import { codeOf, pieceAt, type Piece } from '../automaton/piece';
import type { Viewport } from '../automaton/viewport.svelte';
import { add, idOf, join, pickEnd } from './commands';
import { desk } from './desk.svelte';
import { anchorOf, boxBetween, dragged, inBox, previewOf, type Drag } from './drag';
import type { Selection } from './pieces';
import { nodeAt } from './shape';

/** How far the pointer goes, in pixels, before pressing becomes dragging. */
const STILL = 4;

export class Pointer {
  drag = $state.raw<Drag | null>(null);
  /** The drag as it began: what is dragged does not change on the way. */
  held = $state.raw<Drag | null>(null);
  /** The piece under the pointer, and whether that is at the rim of a location, where edges begin. */
  over = $state.raw<Piece | null>(null);
  rim = $state(false);
  #pressed: { x: number; y: number; drag: Drag } | null = null;

  constructor(
    readonly viewport: Viewport,
    readonly svg: () => SVGSVGElement | undefined,
  ) {}

  /** Whether a button is down. */
  get pressed(): boolean {
    return this.#pressed !== null;
  }

  spot(event: MouseEvent): Spot {
    const svg = this.svg();
    return svg ? this.viewport.toDrawing(pixelOf(event, svg)) : { x: 0, y: 0 };
  }

  press(event: PointerEvent): void {
    const template = desk.template;
    if (event.button !== 0 || !template) return;
    const [piece, spot] = [pieceAt(event.target), this.spot(event)];
    desk.inPlace = null;
    if (desk.tool === 'location' || desk.tool === 'branchpoint') {
      add(desk.tool, spot);
      if (!event.shiftKey) desk.use('select');
    } else if (desk.tool === 'edge') pickEnd(piece);
    else this.#pressed = { x: event.clientX, y: event.clientY, drag: this.#begin(event, piece, spot) };
  }

  #begin(event: PointerEvent, piece: Piece | null, spot: Spot): Drag {
    if (!piece) {
      const keep: Selection = event.shiftKey ? desk.selected : new Set();
      if (!event.shiftKey) desk.select([]);
      return { kind: 'band', start: spot, now: spot, keep };
    }
    const id = desk.template ? idOf(desk.template, piece) : null;
    if (id !== null && this.#atRim(id, spot) && !event.shiftKey) {
      desk.pick(piece);
      return { kind: 'connect', source: id, start: spot, now: spot, target: null };
    }
    const code = codeOf(piece);
    if (event.shiftKey) desk.toggle(piece);
    else if (!desk.selected.has(code)) desk.pick(piece);
    if (piece.kind === 'edge' && desk.selected.size <= 1) return { kind: 'bend', edge: piece.at, start: spot, now: spot };
    const anchor = desk.template ? anchorOf(desk.template, piece) : null;
    return { kind: 'move', start: spot, anchor, by: { x: 0, y: 0 }, pieces: desk.selected };
  }

  #atRim(id: string, spot: Spot): boolean {
    const centre = desk.template ? nodeAt(desk.template, id) : undefined;
    return centre !== undefined && Math.hypot(spot.x - centre.x, spot.y - centre.y) > RADIUS - 2;
  }

  move(event: PointerEvent): void {
    const spot = this.spot(event);
    if (!this.#pressed) {
      this.#hover(event, spot);
      return;
    }
    const { x, y } = this.#pressed;
    if (!this.drag && Math.hypot(event.clientX - x, event.clientY - y) < STILL) return;
    const svg = this.svg();
    if (svg && !svg.hasPointerCapture(event.pointerId)) svg.setPointerCapture(event.pointerId);
    this.held ??= this.#pressed.drag;
    const drag = dragged(this.drag ?? this.#pressed.drag, spot, event.altKey || event.shiftKey);
    this.drag = drag.kind === 'connect' ? { ...drag, target: this.#endUnder(event) } : drag;
    if (drag.kind === 'band' && desk.template) {
      const chosen = new Set([...drag.keep, ...inBox(desk.template, boxBetween(drag.start, drag.now))]);
      const now = desk.selected;
      if (chosen.size !== now.size || [...chosen].some((code) => !now.has(code))) desk.select(chosen);
    }
  }

  #hover(event: PointerEvent, spot: Spot): void {
    const piece = pieceAt(event.target);
    if (piece?.kind !== this.over?.kind || piece?.at !== this.over?.at) this.over = piece;
    const id = desk.template ? idOf(desk.template, piece) : null;
    this.rim = id !== null && desk.tool === 'select' && this.#atRim(id, spot);
  }

  #endUnder(event: PointerEvent): string | null {
    const piece = pieceAt(document.elementFromPoint(event.clientX, event.clientY));
    return desk.template ? idOf(desk.template, piece) : null;
  }

  release(event: PointerEvent): void {
    const { drag } = this;
    this.cancel();
    if (!drag) return;
    this.svg()?.releasePointerCapture(event.pointerId);
    if (drag.kind === 'move') desk.edit('move', (template) => previewOf(template, drag));
    if (drag.kind === 'bend') desk.edit('bend an edge', (template) => previewOf(template, drag));
    if (drag.kind === 'connect' && drag.target !== null) join(drag.source, drag.target);
  }

  cancel(): void {
    this.drag = null;
    this.held = null;
    this.#pressed = null;
  }

  /** The line of the edge that is being drawn. */
  line(): { from: Spot; to: Spot } | null {
    const { drag } = this;
    const from = drag?.kind === 'connect' && desk.template ? nodeAt(desk.template, drag.source) : undefined;
    if (drag?.kind !== 'connect' || !from) return null;
    const target = drag.target !== null && desk.template ? nodeAt(desk.template, drag.target) : undefined;
    const to = target ? border({ ...target, radius: RADIUS }, from) : drag.now;
    return { from: border({ ...from, radius: RADIUS }, to), to };
  }
}
