// Leading to places of the model.

import type { Place } from '../api/types';
import { studio } from '../model/studio.svelte';
import { go } from './route.svelte';

/** Shows a place where it is edited: queries among the queries, everything else in the editor. */
export function leadTo(place: Place): void {
  studio.attention = { part: place.part, from: place.from, to: place.to };
  go(place.part.part === 'query' ? 'verify' : 'edit');
}

/** A place in words: `edge 3 of Train, line 2`. */
export function placeInWords({ part, line }: Place): string {
  const template = (index: number): string => studio.templates[index]?.name || `template ${index + 1}`;
  const at = line > 1 ? `, line ${line}` : '';
  switch (part.part) {
    case 'whole': return 'the model';
    case 'text': return `line ${line}`;
    case 'declarations': return `declarations, line ${line}`;
    case 'instantiation': return `instantiation, line ${line}`;
    case 'system': return `system, line ${line}`;
    case 'template-name': return `the name of ${template(part.template)}`;
    case 'parameters': return `the parameters of ${template(part.template)}`;
    case 'template-declarations': return `declarations of ${template(part.template)}, line ${line}`;
    case 'location': {
      const name = studio.templates[part.template]?.locations[part.location]?.name;
      return `location ${name || part.location + 1} of ${template(part.template)}${at}`;
    }
    case 'branchpoint': return `branch point ${part.branchpoint + 1} of ${template(part.template)}`;
    case 'edge': return `edge ${edgeInWords(part.template, part.edge)}of ${template(part.template)}${at}`;
    case 'query': return `query ${part.query + 1}`;
  }
}

function edgeInWords(template: number, index: number): string {
  const drawn = studio.templates[template];
  const edge = drawn?.edges[index];
  const name = (id: string | undefined): string | undefined => drawn?.locations.find((location) => location.id === id)?.name;
  const [source, target] = [name(edge?.source), name(edge?.target)];
  return source && target ? `${source} → ${target} ` : `${index + 1} `;
}
