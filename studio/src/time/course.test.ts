// Tests of course.ts.

import { describe, expect, test } from 'vitest';

import { courseOf, hues, stepTo, visitAt } from './course';
import { network, number, run, step } from './samples';

describe('the course of a run', () => {
  const course = courseOf(network(2), run([step(2, [[0, 1]]), step(0, [[0, 2], [1, 1]]), step(3), step('1/2', [[0, 0]])]));

  test('has the visits of each process', () => {
    expect(course.visits[0]).toEqual([
      { location: 0, from: 0, to: 1 }, { location: 1, from: 1, to: 2 }, { location: 2, from: 2, to: 4 }, { location: 0, from: 4, to: 4 },
    ]);
    expect(course.visits[1]).toEqual([{ location: 0, from: 0, to: 2 }, { location: 1, from: 2, to: 4 }]);
  });

  test('has times', () => expect([...course.times!]).toEqual([0, 2, 2, 5, 5.5]));

  test('finds a visit by its position', () => {
    expect([0, 1, 2, 3, 4].map((position) => visitAt(course, 0, position)?.location)).toEqual([0, 1, 2, 2, 0]);
    expect(visitAt(course, 7, 0)).toBeUndefined();
  });

  test('finds the step to a position', () => {
    expect(stepTo(course, 0)).toBeUndefined();
    expect(stepTo(course, 4)?.delay).toEqual(number('1/2'));
  });
});

test('without times there are still visits', () => {
  const trace = run([step(1, [[0, 1]])]);
  trace.steps[0]!.time = null;
  const course = courseOf(network(1), trace);
  expect(course.times).toBeNull();
  expect(course.visits[0]).toHaveLength(2);
});

test('a process that the network does not have is passed over', () => {
  expect(courseOf(network(1), run([step(1, [[9, 1]])])).visits).toHaveLength(1);
});

test('names have hues of their own, whosever they are', () => {
  const found = hues(network(3));
  expect(found.size).toBe(3);
  expect(new Set(found.values()).size).toBe(3);
});
