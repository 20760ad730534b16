// What is drawn apart while something is dragged. Most of a drawing stays, and is not drawn again. Of the rest, what moves
// as a whole is drawn once and shifted; only edges that change their shape, and what is moved label by label, are drawn for
// every frame.

import type { SheetTemplate } from '../api/types';
import type { Only } from '../automaton/only';
import type { Drag } from './drag';
import { nodesOf } from './pieces';
import { ownerOf } from './walk';

export interface Layers {
  /** The codes of the pieces that are drawn apart, labels with their owners. */
  away: ReadonlySet<string>;
  /** What moves as a whole. */
  rigid: Only;
  /** What changes its shape. */
  loose: Only;
}

const none = (): Only => ({ locations: [], branchpoints: [], edges: [] });

/** The layers for a drag; nothing if it changes nothing of the drawing. */
export function layersOf(template: SheetTemplate, drag: Drag | null): Layers | null {
  if (drag?.kind === 'bend') {
    return { away: new Set([`edge:${drag.edge}`]), rigid: none(), loose: { ...none(), edges: [drag.edge] } };
  }
  if (drag?.kind !== 'move') return null;
  const layers = { away: new Set<string>(), rigid: none(), loose: none() };
  const put = (layer: Only, list: keyof Only, code: string, at: number): void => {
    if (layers.away.has(code)) return;
    layers.away.add(code);
    layer[list].push(at);
  };
  const nodes = nodesOf(template, drag.pieces);
  template.locations.forEach(({ id }, at) => nodes.has(id) && put(layers.rigid, 'locations', `location:${at}`, at));
  template.branchpoints.forEach(({ id }, at) => nodes.has(id) && put(layers.rigid, 'branchpoints', `branchpoint:${at}`, at));
  const owners = new Set([...drag.pieces].map(ownerOf));
  template.edges.forEach(({ source, target }, at) => {
    const ends = Number(nodes.has(source)) + Number(nodes.has(target));
    if (ends === 2) put(layers.rigid, 'edges', `edge:${at}`, at);
    else if (ends === 1 || owners.has(`edge:${at}`)) put(layers.loose, 'edges', `edge:${at}`, at);
  });
  template.locations.forEach((_, at) => owners.has(`location:${at}`) && put(layers.loose, 'locations', `location:${at}`, at));
  return layers;
}
