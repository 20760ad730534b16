// What is written of a state: a list of rows under headings, some of which a filter hides.

import type { Network, SimulationView } from '../api/types';
import { locationName } from '../time/course';

/** A row of the list. */
export type Row =
  | { kind: 'heading'; key: string; text: string; count: number }
  /** A name and its value. */
  | { kind: 'value'; key: string; name: string; value: string; changed: boolean }
  /** A constraint of a zone, which has no name of its own. */
  | { kind: 'constraint'; key: string; text: string };

/** All rows, but for values and constraints that the filter does not occur in. */
export function rowsOf(network: Network, view: SimulationView, filter: string): Row[] {
  const wanted = filter.trim().toLowerCase();
  const matches = (...texts: string[]) => wanted === '' || texts.some((one) => one.toLowerCase().includes(wanted));
  const { changed } = view;
  const section = (text: string, rows: Row[]): Row[] => (rows.length > 0 ? [{ kind: 'heading', key: text, text, count: rows.length }, ...rows] : []);
  const values = (kind: string, names: readonly string[], valueOf: (at: number) => string | undefined, moved: readonly number[]): Row[] => {
    const set = new Set(moved);
    return names.flatMap((name, at): Row[] => {
      const value = valueOf(at);
      if (value === undefined || !matches(name, value)) return [];
      return [{ kind: 'value', key: `${kind} ${at}`, name, value, changed: set.has(at) }];
    });
  };
  const processes = network.processes.map((process) => process.name);
  const locationOf = (at: number) => (view.locations[at] === undefined ? undefined : locationName(network, at, view.locations[at]));
  return [
    ...section('Locations', values('location', processes, locationOf, changed.processes)),
    ...section('Variables', values('variable', network.variables, (at) => view.variables[at]?.toString(), changed.variables)),
    ...section('Clocks', values('clock', network.clocks, (at) => view.clocks[at]?.exact, changed.clocks)),
    ...section('Zone', view.zone.filter((one) => matches(one)).map((text, at) => ({ kind: 'constraint', key: `zone ${at}`, text }))),
  ];
}
