// Views of simulations, for tests.

import type { SheetTemplate, SimulationView } from '../api/types';
import { network as small, number } from '../time/samples';

export const network = small;

/** A simulation at its start, of `network(processes)`. */
export function view(processes: number, change: Partial<SimulationView> = {}): SimulationView {
  return {
    id: 1, mode: 'concrete', position: 0, length: 0, time: number(0),
    locations: Array.from({ length: processes }, () => 0), variables: [0, 0], clocks: [number(0), number('5/2')], zone: [],
    changed: { processes: [], edges: [], variables: [], clocks: [] }, last: '', choices: [], patience: null, stuck: '',
    failures: [], picture: null, refused: null, ...change,
  };
}

/** A template with nothing drawn in it. */
export function template(name: string): SheetTemplate {
  return {
    name, parameters: '', declarations: '', name_at: null, parameters_at: null, initial: '', locations: [], branchpoints: [],
    edges: [],
  };
}
