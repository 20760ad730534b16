// Edits of sheets: each makes a new sheet that shares whatever stayed the same. What changes nothing gives back the very
// object that it was given, so that it is no step of the history.

import type { Drawing, Sheet, SheetEdge, SheetLocation, SheetQuery, SheetTemplate } from '../api/types';

/** The list with another item at a place. */
export function replaced<T>(list: T[], index: number, change: (item: T) => T): T[] {
  if (index < 0 || index >= list.length) return list;
  const before = list[index] as T;
  const after = change(before);
  return after === before ? list : list.with(index, after);
}

/** The object with another value of a field. */
function having<T, K extends keyof T>(object: T, field: K, value: T[K]): T {
  return object[field] === value ? object : { ...object, [field]: value };
}

/** The list without the item at a place. */
export function without<T>(list: T[], index: number): T[] {
  return index < 0 || index >= list.length ? list : list.toSpliced(index, 1);
}

/** Changes the drawing; a sheet of text stays as it is. */
export function withDrawing(sheet: Sheet, change: (drawing: Drawing) => Drawing): Sheet {
  if (sheet.body.kind !== 'drawn') return sheet;
  const drawing = change(sheet.body);
  return drawing === sheet.body ? sheet : { ...sheet, body: { kind: 'drawn', ...drawing } };
}

export function withTemplate(sheet: Sheet, index: number, change: (template: SheetTemplate) => SheetTemplate): Sheet {
  return withDrawing(sheet, (drawing) => having(drawing, 'templates', replaced(drawing.templates, index, change)));
}

export function withLocation(
  template: SheetTemplate,
  index: number,
  change: (location: SheetLocation) => SheetLocation,
): SheetTemplate {
  return having(template, 'locations', replaced(template.locations, index, change));
}

export function withEdge(template: SheetTemplate, index: number, change: (edge: SheetEdge) => SheetEdge): SheetTemplate {
  return having(template, 'edges', replaced(template.edges, index, change));
}

export function withQuery(sheet: Sheet, index: number, change: (query: SheetQuery) => SheetQuery): Sheet {
  return having(sheet, 'queries', replaced(sheet.queries, index, change));
}
