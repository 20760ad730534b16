// The course of a run: who is where from which step to which, and when. Both charts are drawn from it.
//
// Positions count steps: position 0 is the start, position p is after step p. A visit to a location is entered at one
// position and left at another, so that visits follow from the steps alone, whether or not times are known.

import type { Network, Trace, TraceStep } from '../api/types';
import { firstAbove } from './scale';

/** A stay of a process in a location. */
export interface Visit {
  location: number;
  /** The position it begins at. */
  from: number;
  /** The position it ends at; the last position if it lasts to the end. */
  to: number;
}

export interface Course {
  network: Network;
  trace: Trace;
  /** How many steps there are. */
  length: number;
  /** For each process its visits, in order. */
  visits: Visit[][];
  /** When each position is reached; nothing if times are not known. */
  times: Float64Array | null;
}

/** The step that leads to a position. */
export function stepTo(course: Course, position: number): TraceStep | undefined {
  return course.trace.steps[position - 1];
}

export function courseOf(network: Network, trace: Trace): Course {
  const length = trace.steps.length;
  const visits: Visit[][] = network.processes.map((_, process) => [
    { location: trace.locations[process] ?? 0, from: 0, to: length },
  ]);
  trace.steps.forEach((step, index) => {
    for (const [process, location] of step.moved) {
      const list = visits[process];
      const last = list?.at(-1);
      if (!list || !last) continue;
      last.to = index + 1;
      list.push({ location, from: index + 1, to: length });
    }
  });
  return { network, trace, length, visits, times: timesOf(trace) };
}

function timesOf(trace: Trace): Float64Array | null {
  if (trace.steps.some((step) => !step.time)) return null;
  const times = new Float64Array(trace.steps.length + 1);
  trace.steps.forEach((step, index) => (times[index + 1] = step.time?.value ?? 0));
  return times;
}

/** The visit of a process at a position. */
export function visitAt(course: Course, process: number, position: number): Visit | undefined {
  const list = course.visits[process] ?? [];
  return list[firstAbove(list.length, (index) => list[index]!.from, position) - 1];
}

export function locationName(network: Network, process: number, location: number): string {
  const known = network.processes[process]?.locations[location];
  return known?.name || `location ${location}`;
}

// The golden angle: however many names there are, neighbours differ.
const TURN = 137.508;

/** A hue for each name of a location, the same wherever the name occurs. */
export function hues(network: Network): Map<string, number> {
  const found = new Map<string, number>();
  network.processes.forEach((process, at) => {
    process.locations.forEach((_, location) => {
      const name = locationName(network, at, location);
      if (!found.has(name)) found.set(name, Math.round(210 + found.size * TURN) % 360);
    });
  });
  return found;
}
