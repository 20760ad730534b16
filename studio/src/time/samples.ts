// Networks and runs for tests.

import type { Network, Number as Exact, TakenEdge, Trace, TraceStep } from '../api/types';

export function number(exact: string | number): Exact {
  const [over = 0, under = 1] = String(exact).split('/').map(globalThis.Number);
  return { exact: String(exact), value: over / under };
}

/** Processes P0, P1, … with locations A, B and C, and an edge from each to the next. */
export function network(processes: number): Network {
  return {
    processes: Array.from({ length: processes }, (_, at) => ({
      name: `P${at}`,
      template: 0,
      locations: ['A', 'B', 'C'].map((name, drawn) => ({ name, drawn })),
      edges: [0, 1, 2].map((source) => ({ source, target: (source + 1) % 3, drawn: [source] })),
    })),
    clocks: ['x', 'y'],
    variables: ['n', 'id'], variables_left_out: 0,
  };
}

/** An edge that is taken. */
export function edge(process: number, channel = '', direction = ''): TakenEdge {
  return { process, edge: 0, channel, direction, selects: [] };
}

/** A step after a delay; `run` fills in when it is taken. */
export function step(delay: string | number, moved: [number, number][] = [], edges: TakenEdge[] = []): TraceStep {
  const taken = edges.length > 0 ? edges : moved.map(([process]) => edge(process));
  return { delay: number(delay), time: null, label: `after ${delay}`, edges: taken, moved, set: [] };
}

/** A run of these steps, with times. */
export function run(steps: TraceStep[], processes = 9): Trace {
  let time = 0;
  for (const one of steps) {
    time += one.delay?.value ?? 0;
    one.time = number(time);
  }
  return { locations: Array.from({ length: processes }, () => 0), variables: [0, 0], steps, repeats_from: null, untimed: null };
}
