// Tests of tell.ts.

import { expect, test } from 'vitest';

import { courseOf } from './course';
import { network, run, step } from './samples';
import { tellStep, tellVisit } from './tell';

const first = step('5/2', [[0, 1]]);
first.set = [[0, 7]];
const course = courseOf(network(2), run([first, step(1)]));

test('a step tells when, who and what', () => {
  expect(tellStep(course, 1)).toEqual(['1: after 5/2', 'at time 2.5, after 5/2', 'P0 is in B', 'n = 7']);
  expect(tellStep(course, 2)).toEqual(['2: time passes', 'at time 3.5, after 1']);
  expect(tellStep(course, 0)).toEqual(['start']);
});

test('many variables are counted', () => {
  const many = step(0, [[0, 1]]);
  many.set = Array.from({ length: 20 }, (_, at) => [at, at]);
  expect(tellStep(courseOf(network(1), run([many])), 1).at(-1)).toBe('and 12 more variables');
});

test('a stay tells from when to when', () => {
  expect(tellVisit(course, 0, course.visits[0]![0]!)).toEqual(['P0: A', 'from 0 to 2.5']);
  expect(tellVisit(course, 0, course.visits[0]![1]!)).toEqual(['P0: B', 'from 2.5 to the end']);
});
