// Places of the model: in words, and leading there.

import type { Place } from '../api/types';
import { partName, spotName } from '../code/parts';
import { studio } from '../model/studio.svelte';
import { go } from './route.svelte';

/** Shows a place where it is edited: queries among the queries, everything else in the editor. */
export function leadTo(place: Place): void {
  studio.attention = { part: place.part, from: place.from, to: place.to };
  go(place.part.part === 'query' ? 'verify' : 'edit');
}

/** A place in words: `Train, Safe → Appr, guard 1:3`. */
export function placeInWords(place: Place): string {
  if (!studio.sheet) return '';
  return `${partName(place.part, studio.sheet, studio.examined?.picture)} ${spotName(place)}`.trimEnd();
}
