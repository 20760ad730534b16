// Diagnostics on a drawing: which location or edge each belongs to.

import type { Told } from '../api/types';
import type { AutomatonMarks, DiagnosticMark } from '../automaton/marks';

/** The diagnostics of each piece of a template, by its code. */
export function byPiece(told: readonly Told[], template: number): Map<string, Told[]> {
  const found = new Map<string, Told[]>();
  for (const one of told) {
    const part = one.place.part;
    if (!('template' in part) || part.template !== template) continue;
    const code =
      part.part === 'location' ? `location:${part.location}`
      : part.part === 'edge' ? `edge:${part.edge}`
      : part.part === 'branchpoint' ? `branchpoint:${part.branchpoint}`
      : null;
    if (!code) continue;
    const list = found.get(code);
    if (list) list.push(one);
    else found.set(code, [one]);
  }
  return found;
}

const WORST = ['error', 'warning', 'note'] as const;

function worst(told: readonly Told[]): DiagnosticMark['severity'] {
  return WORST.find((severity) => told.some((one) => one.severity === severity)) ?? 'note';
}

/** The marks of these diagnostics. */
export function diagnosticMarks(pieces: ReadonlyMap<string, Told[]>): NonNullable<AutomatonMarks['diagnostics']> {
  const locations = new Map<number, DiagnosticMark>();
  const edges = new Map<number, DiagnosticMark>();
  for (const [code, told] of pieces) {
    const [kind, at] = code.split(':');
    const diagnostic = { severity: worst(told), message: told.map((one) => one.message).join('; ').slice(0, 1000) };
    if (kind === 'location') locations.set(Number(at), diagnostic);
    if (kind === 'edge') edges.set(Number(at), diagnostic);
  }
  return { locations, edges };
}

/** How many errors and warnings each node of the tree of the model has, by its key. */
export function byNode(told: readonly Told[]): Map<string, { errors: number; warnings: number }> {
  const found = new Map<string, { errors: number; warnings: number }>();
  for (const { severity, place } of told) {
    const { part } = place;
    const key =
      part.part === 'template-declarations' ? `${part.part}:${part.template}`
      : 'template' in part ? `drawing:${part.template}`
      : part.part;
    const counts = found.get(key) ?? { errors: 0, warnings: 0 };
    if (severity === 'error') counts.errors += 1;
    if (severity === 'warning') counts.warnings += 1;
    found.set(key, counts);
  }
  return found;
}
