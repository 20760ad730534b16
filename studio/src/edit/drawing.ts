// Edits of the list of templates.

import type { Drawing, Sheet, SheetTemplate } from '../api/types';
import { withDrawing } from '../model/change';
import { addLocation, freshIds } from './shape';

function freeTemplateName(drawing: Drawing, stem: string): string {
  const names = new Set(drawing.templates.map(({ name }) => name));
  if (!names.has(stem)) return stem;
  const root = stem.replace(/\d+$/, '');
  for (let number = 2; ; number++) if (!names.has(`${root}${number}`)) return `${root}${number}`;
}

/** With a template more, which has one location. */
export function addTemplate(sheet: Sheet): Sheet {
  return withDrawing(sheet, (drawing) => {
    const empty: SheetTemplate = {
      name: freeTemplateName(drawing, 'Template'), parameters: '', declarations: '', name_at: null, parameters_at: null,
      initial: '', locations: [], branchpoints: [], edges: [],
    };
    const id = freshIds(drawing.templates).next().value;
    return { ...drawing, templates: [...drawing.templates, addLocation(empty, id, { x: 0, y: 0 })] };
  });
}

/** With a copy of a template behind it, under another name and with ids of its own. */
export function duplicateTemplate(sheet: Sheet, index: number): Sheet {
  return withDrawing(sheet, (drawing) => {
    const original = drawing.templates[index];
    if (!original) return drawing;
    const ids = freshIds(drawing.templates);
    const renamed = new Map([...original.locations, ...original.branchpoints].map(({ id }) => [id, ids.next().value]));
    const name = (id: string): string => renamed.get(id) ?? id;
    const copy: SheetTemplate = {
      ...original,
      name: freeTemplateName(drawing, original.name),
      initial: name(original.initial),
      locations: original.locations.map((location) => ({ ...location, id: name(location.id) })),
      branchpoints: original.branchpoints.map((branch) => ({ ...branch, id: name(branch.id) })),
      edges: original.edges.map((edge) => ({ ...edge, id: '', source: name(edge.source), target: name(edge.target) })),
    };
    return { ...drawing, templates: [...drawing.templates.slice(0, index + 1), copy, ...drawing.templates.slice(index + 1)] };
  });
}

/** With two neighbouring templates exchanged: the one at `index`, and the one before or after it. */
export function moveTemplate(sheet: Sheet, index: number, by: -1 | 1): Sheet {
  return withDrawing(sheet, (drawing) => {
    const [one, other] = [drawing.templates[index], drawing.templates[index + by]];
    if (!one || !other) return drawing;
    const templates = [...drawing.templates];
    templates[index] = other;
    templates[index + by] = one;
    return { ...drawing, templates };
  });
}
