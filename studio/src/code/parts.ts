// Parts of a sheet: which is which, what they are called, and what the server says of them.

import type { Examined, Part, Place, Sheet, SheetTemplate, Told } from '../api/types';
import { brief } from '../automaton/text';

/** Equal parts have equal keys. */
export function partKey(part: Part): string {
  switch (part.part) {
    case 'template-name':
    case 'parameters':
    case 'template-declarations':
      return `${part.part}:${part.template}`;
    case 'location':
      return `location:${part.template}:${part.location}:${part.label ?? ''}`;
    case 'branchpoint':
      return `branchpoint:${part.template}:${part.branchpoint}`;
    case 'edge':
      return `edge:${part.template}:${part.edge}:${part.label ?? ''}`;
    case 'query':
      return `query:${part.query}`;
    default:
      return part.part;
  }
}

/** The template that a part belongs to. */
export function templateOf(part: Part): number | null {
  return 'template' in part ? part.template : null;
}

/** The diagnostics of each part, by its key. */
export function byPart(told: readonly Told[]): Map<string, Told[]> {
  const found = new Map<string, Told[]>();
  for (const one of told) {
    const key = partKey(one.place.part);
    const list = found.get(key);
    if (list) list.push(one);
    else found.set(key, [one]);
  }
  return found;
}

/** What is wrong, what was wrong with the file itself first. */
export function allTold(examined: Examined | null, opening: readonly Told[]): Told[] {
  return [...opening, ...(examined?.diagnostics ?? [])];
}

function nodeName(template: SheetTemplate, id: string): string {
  const at = template.locations.findIndex((location) => location.id === id);
  if (at < 0) return 'a branch point';
  return brief(template.locations[at]?.name ?? '', 24) || `location ${at + 1}`;
}

/** What an edge is called: by its ends. */
export function edgeName(template: SheetTemplate, at: number): string {
  const edge = template.edges[at];
  return edge ? `${nodeName(template, edge.source)} → ${nodeName(template, edge.target)}` : `edge ${at + 1}`;
}

/** What a location is called. */
export function locationName(template: SheetTemplate, at: number): string {
  return brief(template.locations[at]?.name ?? '', 24) || `location ${at + 1}`;
}

const PLAIN: Partial<Record<Part['part'], string>> = {
  whole: 'the model', text: 'the text', declarations: 'declarations', instantiation: 'instantiation', system: 'system',
};

/** Where something is, in words: `Train, Safe → Appr, guard`. */
export function partName(part: Part, sheet: Sheet, picture: readonly SheetTemplate[] = []): string {
  const plain = PLAIN[part.part];
  if (plain) return plain;
  if (part.part === 'query') return `query ${part.query + 1}`;
  const templates = sheet.body.kind === 'drawn' ? sheet.body.templates : picture;
  const at = templateOf(part) ?? 0;
  const template = templates[at];
  if (!template) return `template ${at + 1}`;
  const name = brief(template.name, 24) || `template ${at + 1}`;
  switch (part.part) {
    case 'template-name':
      return `${name}, name`;
    case 'parameters':
      return `${name}, parameters`;
    case 'template-declarations':
      return `${name}, declarations`;
    case 'location': {
      const kind = part.label === null ? '' : template.locations[part.location]?.labels[part.label]?.kind;
      return [name, locationName(template, part.location), kind].filter(Boolean).join(', ');
    }
    case 'edge': {
      const kind = part.label === null ? '' : template.edges[part.edge]?.labels[part.label]?.kind;
      return [name, edgeName(template, part.edge), kind].filter(Boolean).join(', ');
    }
    default:
      return `${name}, a branch point`;
  }
}

/** Line and column, if the text of the part has more than one line's worth of meaning. */
export function spotName(place: Place): string {
  return place.part.part === 'whole' ? '' : `${place.line}:${place.column}`;
}
