// What is told of a step, or of a stay, under the pointer.

import { shown } from '../simulate/text';
import { locationName, stepTo, type Course, type Visit } from './course';

/** A step in lines. */
export function tellStep(course: Course, position: number): string[] {
  const step = stepTo(course, position);
  if (!step) return ['start'];
  const { network } = course;
  const lines = [`${position}: ${step.edges.length > 0 ? shown(step.label, 160) : 'time passes'}`];
  if (step.time) lines.push(`at time ${shown(step.time.exact, 40)}${step.delay && step.delay.value !== 0 ? `, after ${shown(step.delay.exact, 40)}` : ''}`);
  for (const [process, location] of step.moved.slice(0, 6)) {
    lines.push(`${shown(network.processes[process]?.name ?? '', 40)} is in ${shown(locationName(network, process, location), 40)}`);
  }
  for (const [variable, value] of step.set.slice(0, 8)) lines.push(`${shown(network.variables[variable] ?? '', 40)} = ${value}`);
  if (step.set.length > 8) lines.push(`and ${step.set.length - 8} more variables`);
  return lines;
}

/** A stay in lines. */
export function tellVisit(course: Course, process: number, visit: Visit): string[] {
  const { network, trace } = course;
  const time = (position: number): string => (position === 0 ? '0' : shown(trace.steps[position - 1]?.time?.exact ?? '?', 40));
  const until = visit.to === course.length ? 'to the end' : `to ${time(visit.to)}`;
  return [
    `${shown(network.processes[process]?.name ?? '', 60)}: ${shown(locationName(network, process, visit.location), 60)}`,
    `from ${time(visit.from)} ${until}`,
  ];
}
