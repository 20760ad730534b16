// Tests of gantt.ts.

import { describe, expect, test } from 'vitest';

import type { TraceStep } from '../api/types';
import { courseOf, hues } from './course';
import { axisMarks, fittingScale, ganttMarks, layOut, positionAt, usualScale, xAtTime, xOf } from './gantt';
import { network, run, step } from './samples';

function chart(steps: TraceStep[], { scale = 10, instant = 0, processes = 1 } = {}) {
  const net = network(processes);
  const course = courseOf(net, run(steps));
  return layOut(course, course.times!, hues(net), scale, instant);
}

const STEPS = () => [step(2, [[0, 1]]), step(0, [[0, 2]]), step(3, [[0, 0]])];

describe('places', () => {
  test('are proportional to time', () => {
    const made = chart(STEPS());
    expect([0, 1, 2, 3].map((position) => xOf(made, position))).toEqual([0, 20, 20, 50]);
    expect(xAtTime(made, 3)).toBe(30);
  });

  test('open up instants if that is wanted', () => {
    const made = chart(STEPS(), { instant: 8 });
    expect([0, 1, 2, 3].map((position) => xOf(made, position))).toEqual([0, 28, 36, 74]);
    expect(xAtTime(made, 2)).toBe(20);
    expect(xAtTime(made, 3)).toBe(46);
  });

  test('lead back to positions', () => {
    const made = chart(STEPS(), { instant: 8 });
    expect([0, 19, 21, 29, 37, 65, 67, 1000].map((x) => positionAt(made, x))).toEqual([0, 0, 1, 2, 2, 2, 3, 3]);
  });

  test('are found for a run that takes no time', () => {
    const made = chart([step(0, [[0, 1]]), step(0, [[0, 2]])], { instant: 5 });
    expect(xAtTime(made, 0)).toBe(0);
    expect(positionAt(made, 6)).toBe(2);
    expect(made.width).toBeGreaterThan(10);
  });

  test('never make the chart wider than a browser can scroll', () => {
    expect(chart([step(1e12, [[0, 1]])], { scale: 100 }).width).toBeLessThan(9_000_000);
  });
});

describe('bars', () => {
  test('are as long as the stay, and the last goes on', () => {
    const bars = ganttMarks(chart(STEPS()), 0, 1000, 0, 0).filter((mark) => mark.kind === 'box' && mark.look === 'bar');
    expect(bars).toMatchObject([{ x: 0, width: 20 }, { x: 20, width: 30 }, { x: 50 }]);
  });

  test('are hatched where nobody stays', () => {
    const instants = ganttMarks(chart(STEPS()), 0, 1000, 0, 0).filter((mark) => mark.look === 'instant');
    expect(instants).toMatchObject([{ x: 20, width: 4 }]);
  });

  test('have the colour of their location in every row', () => {
    const marks = ganttMarks(chart([step(5, [[0, 1], [1, 1]])], { processes: 2 }), 0, 1000, 0, 1);
    const colours = marks.flatMap((mark) => (mark.look === 'bar' && mark.kind === 'box' ? [mark.hue] : []));
    expect(colours[0]).toBe(colours[2]);
    expect(colours[1]).toBe(colours[3]);
    expect(colours[0]).not.toBe(colours[1]);
  });

  test('too narrow to be told apart cost no more than the pixels there are', () => {
    const made = chart(Array.from({ length: 50_000 }, (_, at) => step(1, [[0, at % 3]])), { scale: 0.01 });
    expect(ganttMarks(made, 0, made.width, 0, 0).length).toBeLessThan(made.width + 10);
  });

  test('out of view are not drawn', () => {
    const made = chart(Array.from({ length: 5000 }, (_, at) => step(1, [[0, at % 3]])), { scale: 50 });
    expect(ganttMarks(made, 100_000, 101_000, 0, 0).length).toBeLessThan(80);
  });

  test('have keys that differ', () => {
    const made = chart(STEPS(), { processes: 3 });
    made.course.trace.repeats_from = 0;
    const marks = [...ganttMarks(made, 0, 1000, 0, 2), ...axisMarks(made, 0, 1000)];
    expect(new Set(marks.map((mark) => mark.key)).size).toBe(marks.length);
  });
});

describe('the axis', () => {
  test('has even moments that do not crowd', () => {
    const made = chart([step(100, [[0, 1]])], { scale: 10 });
    const texts = axisMarks(made, 0, 1000).flatMap((mark) => (mark.kind === 'text' ? [mark.text] : []));
    expect(texts).toEqual(['0', '10', '20', '30', '40', '50', '60', '70', '80', '90', '100']);
  });

  test('has moments also where opened instants take most of the room', () => {
    const made = chart(Array.from({ length: 2000 }, (_, at) => step(at % 2, [[0, at % 3]])), { scale: 0.001, instant: 10 });
    const places = axisMarks(made, 5000, 6000).flatMap((mark) => (mark.kind === 'text' ? [mark.x] : []));
    expect(places.length).toBeGreaterThan(3);
    for (let at = 1; at < places.length; at += 1) expect(places[at]! - places[at - 1]!).toBeGreaterThan(40);
  });
});

test('scales show a typical delay, or everything', () => {
  const made = chart(STEPS());
  expect(usualScale(made.times) * 3).toBeCloseTo(70);
  expect(layOut(made.course, made.times, made.hues, fittingScale(made.times, 4, 600), 4).width).toBeCloseTo(600);
});
