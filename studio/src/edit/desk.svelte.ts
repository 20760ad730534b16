// What the editor shows and what is selected in it. It outlives the view: who comes back finds it as it was left.

import type { Part, Sheet, SheetTemplate } from '../api/types';
import { codeOf, pieceOf, type Piece } from '../automaton/piece';
import { withTemplate } from '../model/change';
import { studio } from '../model/studio.svelte';
import { still, type Copied, type Selection } from './pieces';

/** What the middle of the editor shows. `drawing` and `template-declarations` are those of the template that is shown. */
export type Shown = 'declarations' | 'drawing' | 'template-declarations' | 'instantiation' | 'system';

/** What a click on the drawing does. */
export type Tool = 'select' | 'location' | 'branchpoint' | 'edge';

/** A text of a piece that is edited where it is drawn: the kind of a label, or `name`. */
export interface InPlace {
  piece: Piece;
  field: string;
}

const NOTHING: Selection = new Set();

class Desk {
  shown = $state<Shown>('drawing');
  tool = $state<Tool>('select');
  /** The id of the location or branch point that the edge being drawn begins at. */
  source = $state<string | null>(null);
  inPlace = $state.raw<InPlace | null>(null);
  clipboard = $state.raw<{ copy: Copied; template: number; times: number } | null>(null);
  #selected = $state.raw<Selection>(NOTHING);
  /** A piece that is to be brought into view: set by whoever leads there, taken by the drawing. */
  wanted = $state<string | null>(null);
  #model = 0;
  /** The piece that the keyboard is at. */
  cursor = $state<string | null>(null);

  /** The template that is shown, if the model is drawn. */
  get template(): SheetTemplate | null {
    const body = studio.sheet?.body;
    return body?.kind === 'drawn' ? (body.templates[studio.template] ?? null) : null;
  }

  /** The codes of the pieces that are selected. */
  get selected(): Selection {
    return this.template ? still(this.template, this.#selected) : NOTHING;
  }

  /** The piece that is selected, if it is one alone. */
  get single(): Piece | null {
    const [code, ...more] = this.selected;
    return code && more.length === 0 ? pieceOf(code) : null;
  }

  select(codes: Iterable<string>): void {
    this.#selected = new Set(codes);
    this.inPlace = null;
    const [only, ...more] = this.#selected;
    if (more.length === 0) this.cursor = only ?? null;
    studio.endEdit();
  }

  pick(piece: Piece): void {
    this.select([codeOf(piece)]);
  }

  /** Adds a piece to what is selected, or takes it out. */
  toggle(piece: Piece): void {
    const codes = new Set(this.selected);
    const code = codeOf(piece);
    if (!codes.delete(code)) codes.add(code);
    this.select(codes);
    this.cursor = code;
  }

  use(tool: Tool): void {
    this.tool = tool;
    this.source = null;
    this.inPlace = null;
  }

  /** Shows a template, or one of the texts. */
  show(shown: Shown, template = studio.template): void {
    if (template !== studio.template) this.select([]);
    this.use('select');
    studio.template = template;
    this.shown = shown;
  }

  /** Begins anew if another model was opened. */
  follow(): void {
    if (this.#model === studio.opened) return;
    this.#model = studio.opened;
    this.show('drawing');
    this.select([]);
  }

  /** Changes the template that is shown. */
  edit(what: string, change: (template: SheetTemplate) => SheetTemplate, key: string | null = null): void {
    const index = studio.template;
    studio.edit(what, (sheet: Sheet) => withTemplate(sheet, index, change), key);
  }

  #want(piece: Piece): void {
    this.pick(piece);
    this.wanted = codeOf(piece);
  }

  /** Leads to a part of the sheet. Tells whether something there still has to take the attention. */
  lead(part: Part): boolean {
    switch (part.part) {
      case 'declarations':
      case 'instantiation':
      case 'system':
        this.show(part.part);
        return true;
      case 'template-declarations':
        this.show(part.part, part.template);
        return true;
      case 'template-name':
      case 'parameters':
        this.show('drawing', part.template);
        this.select([]);
        return true;
      case 'location':
        this.show('drawing', part.template);
        this.#want({ kind: 'location', at: part.location });
        return true;
      case 'edge':
        this.show('drawing', part.template);
        this.#want({ kind: 'edge', at: part.edge });
        return part.label !== null;
      case 'branchpoint':
        this.show('drawing', part.template);
        this.#want({ kind: 'branchpoint', at: part.branchpoint });
        return false;
      default:
        return false;
    }
  }
}

export const desk = new Desk();
