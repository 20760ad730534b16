// Draws a zone graph on a canvas. Only what lies in the window is drawn, and text only where it can be read, so that a
// frame costs what is seen and not what there is.

import { boxOf, CHAR_WIDTH, LINE_HEIGHT, TYPE_SIZE, type Link, type Scene } from './scene';
import type { Box, View } from './view';

/** Colours by the names of the page's variables. */
export interface Colours {
  ground: string;
  raised: string;
  line: string;
  text: string;
  soft: string;
  accent: string;
  'accent-ground': string;
  'changed-ground': string;
  'warn-ground': string;
  location: string;
  'location-line': string;
  edge: string;
  token: string;
  guard: string;
  invariant: string;
  mono: string;
}

const NAMES = [
  'ground', 'raised', 'line', 'text', 'soft', 'accent', 'accent-ground', 'changed-ground', 'warn-ground', 'location', 'location-line',
  'edge', 'token', 'guard', 'invariant', 'mono',
] as const satisfies readonly (keyof Colours)[];

/** The colours that are in use. */
export function coloursOf(element: Element): Colours {
  const style = getComputedStyle(element);
  return Object.fromEntries(NAMES.map((name) => [name, style.getPropertyValue(`--${name}`).trim()])) as unknown as Colours;
}

/** What is marked. */
export interface Marks {
  selected: number | null;
  hits: ReadonlySet<number>;
}

/** Below this size on the screen, text is not drawn. */
const READABLE = 5;
/** Below this scale, lines are straight and whole, and boxes are spots: dashes and curves that nobody sees cost most. */
const ROUGH = 0.22;

export class Painter {
  constructor(
    private readonly context: CanvasRenderingContext2D,
    private readonly colours: Colours,
    private readonly scene: Scene,
    private readonly view: View,
    private readonly marks: Marks,
    private readonly size: { width: number; height: number; ratio: number },
  ) {}

  get #isRough(): boolean {
    return this.view.scale < ROUGH;
  }

  paint(): void {
    const { context, size, view } = this;
    context.setTransform(size.ratio, 0, 0, size.ratio, 0, 0);
    context.fillStyle = this.colours.ground;
    context.fillRect(0, 0, size.width, size.height);
    context.setTransform(size.ratio * view.scale, 0, 0, size.ratio * view.scale, size.ratio * view.x, size.ratio * view.y);
    this.#links(this.scene.links, this.colours.edge, false);
    this.#links(this.scene.covers, this.colours.invariant, true);
    this.#ofSelected();
    for (const node of this.scene.shown.ranks.flat()) if (this.#isSeen(node)) this.#box(node);
  }

  /** Whether any of a box is in the window; its badge hangs over a little. */
  #isSeen(node: number): boolean {
    const { view, size } = this;
    const box = boxOf(this.scene, node);
    const across = view.x + view.scale * (box.right + 40) > 0 && view.x + view.scale * box.left < size.width;
    return across && view.y + view.scale * box.bottom > 0 && view.y + view.scale * box.top < size.height;
  }

  /** Whether the line between two nodes can be in the window. */
  #isNear({ from, to }: Link): boolean {
    const { view, size, scene } = this;
    const [one, other] = [boxOf(scene, from), boxOf(scene, to)];
    const bend = 200;
    const left = view.x + view.scale * (Math.min(one.left, other.left) - bend);
    const right = view.x + view.scale * (Math.max(one.right, other.right) + bend);
    const top = view.y + view.scale * (Math.min(one.top, other.top) - bend);
    const bottom = view.y + view.scale * (Math.max(one.bottom, other.bottom) + bend);
    return right > 0 && left < size.width && bottom > 0 && top < size.height;
  }

  #links(links: readonly Link[], colour: string, isCover: boolean): void {
    const { context } = this;
    context.beginPath();
    for (const link of links) if (this.#isNear(link)) this.#trace(link, isCover);
    context.strokeStyle = colour;
    context.globalAlpha = 0.65;
    context.lineWidth = Math.max(isCover ? 1.3 : 1, 0.4 / this.view.scale);
    context.setLineDash(isCover && !this.#isRough ? [6, 4] : []);
    context.stroke();
    context.setLineDash([]);
    context.globalAlpha = 1;
  }

  /** The curve of a link: edges go forwards from side to side and back below the boxes, covers above; within a rank, beside. */
  #trace({ from, to }: Link, isCover: boolean): void {
    const { context } = this;
    const [one, other] = [boxOf(this.scene, from), boxOf(this.scene, to)];
    if (this.#isRough) {
      context.moveTo((one.left + one.right) / 2, (one.top + one.bottom) / 2);
      context.lineTo((other.left + other.right) / 2, (other.top + other.bottom) / 2);
      return;
    }
    if (!isCover && other.left > one.right) {
      const [y, end, bend] = [(one.top + one.bottom) / 2, (other.top + other.bottom) / 2, (other.left - one.right) / 2];
      context.moveTo(one.right, y);
      context.bezierCurveTo(one.right + bend, y, other.left - bend, end, other.left, end);
      this.#head(other.left, end, -6, -3.5, -6, 3.5);
      return;
    }
    if (from !== to && one.left === other.left) {
      this.#beside(one, other, isCover);
      return;
    }
    const side = isCover ? 'top' : 'bottom';
    const way = isCover ? -1 : 1;
    const [x, end] = [(one.left + one.right) / 2, (other.left + other.right) / 2 + (from === to ? 30 : 0)];
    const bend = way * (30 + Math.min(160, Math.abs(x - end) / 6));
    context.moveTo(x, one[side]);
    context.bezierCurveTo(x, one[side] + bend, end, other[side] + bend, end, other[side]);
    this.#head(end, other[side], -3.5, 6 * way, 3.5, 6 * way);
  }

  /** A link between boxes of one rank: edges pass them on the right, covers on the left. */
  #beside(one: Box, other: Box, isCover: boolean): void {
    const side = isCover ? 'left' : 'right';
    const way = isCover ? -1 : 1;
    const [y, end] = [(one.top + one.bottom) / 2 + 6, (other.top + other.bottom) / 2 + 6];
    const bend = way * (24 + Math.min(60, Math.abs(y - end) / 8));
    this.context.moveTo(one[side], y);
    this.context.bezierCurveTo(one[side] + bend, y, other[side] + bend, end, other[side], end);
    this.#head(other[side], end, 6 * way, -3.5, 6 * way, 3.5);
  }

  /** The head of an arrow: its point, and where its two ends are from there. */
  #head(x: number, y: number, left: number, leftDown: number, right: number, rightDown: number): void {
    this.context.moveTo(x + left, y + leftDown);
    this.context.lineTo(x, y);
    this.context.lineTo(x + right, y + rightDown);
  }

  /** The links of the selected node once more, stronger, with what is taken. */
  #ofSelected(): void {
    const { selected } = this.marks;
    if (selected === null) return;
    const ofIt = (link: Link): boolean => link.from === selected || link.to === selected;
    this.#strong(this.scene.links.filter(ofIt), this.colours.accent, false);
    this.#strong(this.scene.covers.filter(ofIt), this.colours.invariant, true);
  }

  #strong(links: readonly Link[], colour: string, isCover: boolean): void {
    const { context } = this;
    context.beginPath();
    for (const link of links) this.#trace(link, isCover);
    context.strokeStyle = colour;
    context.lineWidth = Math.max(2.2, 1.5 / this.view.scale);
    context.setLineDash(isCover && !this.#isRough ? [7, 4] : []);
    context.stroke();
    context.setLineDash([]);
  }

  #box(node: number): void {
    const { context, colours, scene } = this;
    const here = scene.graph.nodes[node];
    const box = boxOf(scene, node);
    const isCovered = here?.covered_by != null;
    if (this.#isRough && node !== this.marks.selected && !this.marks.hits.has(node)) {
      context.fillStyle = isCovered ? colours.invariant : colours['location-line'];
      context.fillRect(box.left, box.top, scene.width, scene.height);
      return;
    }
    context.beginPath();
    context.roundRect(box.left, box.top, scene.width, scene.height, 6);
    context.fillStyle = this.#fill(node, isCovered);
    context.fill();
    context.strokeStyle = node === this.marks.selected ? colours.accent : isCovered ? colours.invariant : colours['location-line'];
    context.lineWidth = node === this.marks.selected ? Math.max(3, 2 / this.view.scale) : 1.2;
    context.setLineDash(isCovered ? [5, 3] : here?.expanded === false ? [2, 3] : []);
    context.stroke();
    context.setLineDash([]);
    if (node === 0) context.strokeRect(box.left + 3, box.top + 3, scene.width - 6, scene.height - 6);
    if (TYPE_SIZE * this.view.scale >= READABLE) this.#text(node, isCovered);
    if (scene.folded.has(node) && (scene.tree.below[node] ?? 0) > 0) this.#badge(node);
  }

  #fill(node: number, isCovered: boolean): string {
    if (this.marks.hits.has(node)) return this.colours['changed-ground'];
    if (node === this.marks.selected) return this.colours['accent-ground'];
    return isCovered ? this.colours.raised : this.colours.location;
  }

  #text(node: number, isCovered: boolean): void {
    const { context, colours, scene } = this;
    const box = boxOf(scene, node);
    const lines = scene.lines.get(node) ?? [];
    context.textBaseline = 'middle';
    let y = (box.top + box.bottom - (lines.length - 1) * LINE_HEIGHT) / 2;
    for (const { kind, words } of lines) {
      let x = box.left + 8;
      for (const word of words) {
        context.font = `${word.changed ? 'bold ' : ''}${TYPE_SIZE}px ${colours.mono}`;
        context.fillStyle = word.changed ? colours.token : kind === 'zone' ? colours.guard : isCovered || kind === 'variables' ? colours.soft : colours.text;
        context.fillText(word.text, x, y);
        x += (word.text.length + 1) * CHAR_WIDTH;
      }
      y += LINE_HEIGHT;
    }
  }

  /** How many nodes a folded one stands for. */
  #badge(node: number): void {
    const { context, colours, scene } = this;
    const box = boxOf(scene, node);
    const text = `+${scene.tree.below[node] ?? 0}`;
    const width = text.length * CHAR_WIDTH + 12;
    context.beginPath();
    context.roundRect(box.right - 8, (box.top + box.bottom) / 2 - 9, width, 18, 9);
    context.fillStyle = colours.accent;
    context.fill();
    if (TYPE_SIZE * this.view.scale < READABLE) return;
    context.fillStyle = colours.ground;
    context.font = `bold ${TYPE_SIZE}px ${colours.mono}`;
    context.fillText(text, box.right - 2, (box.top + box.bottom) / 2 + 0.5);
  }
}
