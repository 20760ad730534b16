// Edits of sheets: each makes a new sheet that shares whatever stayed the same.

import type { Drawing, Sheet, SheetEdge, SheetLocation, SheetQuery, SheetTemplate } from '../api/types';

/** The list with another item at a place. */
export function replaced<T>(list: readonly T[], index: number, change: (item: T) => T): T[] {
  return list.map((item, at) => (at === index ? change(item) : item));
}

/** The list without the item at a place. */
export function without<T>(list: readonly T[], index: number): T[] {
  return list.filter((_, at) => at !== index);
}

/** Changes the drawing; a sheet of text stays as it is. */
export function withDrawing(sheet: Sheet, change: (drawing: Drawing) => Drawing): Sheet {
  if (sheet.body.kind !== 'drawn') return sheet;
  return { ...sheet, body: { kind: 'drawn', ...change(sheet.body) } };
}

export function withTemplate(sheet: Sheet, index: number, change: (template: SheetTemplate) => SheetTemplate): Sheet {
  return withDrawing(sheet, (drawing) => ({ ...drawing, templates: replaced(drawing.templates, index, change) }));
}

export function withLocation(
  template: SheetTemplate,
  index: number,
  change: (location: SheetLocation) => SheetLocation,
): SheetTemplate {
  return { ...template, locations: replaced(template.locations, index, change) };
}

export function withEdge(template: SheetTemplate, index: number, change: (edge: SheetEdge) => SheetEdge): SheetTemplate {
  return { ...template, edges: replaced(template.edges, index, change) };
}

export function withQuery(sheet: Sheet, index: number, change: (query: SheetQuery) => SheetQuery): Sheet {
  return { ...sheet, queries: replaced(sheet.queries, index, change) };
}
