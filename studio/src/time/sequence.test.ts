// Tests of sequence.ts.

import { describe, expect, test } from 'vitest';

import { courseOf, hues } from './course';
import { edge, network, run, step } from './samples';
import { columnX, gapOf, headMarks, layOut, positionAt, rowOf, sequenceMarks } from './sequence';
import type { TraceStep } from '../api/types';

function chart(steps: TraceStep[], processes = 2, width = 500) {
  const net = network(processes);
  return layOut(courseOf(net, run(steps)), hues(net), width);
}

describe('the layout', () => {
  test('gives longer delays more room, up to a limit', () => {
    const gaps = [0, '1/2', 1, 5, 100, 1e12].map((delay) => gapOf(step(delay)));
    expect(gaps[0]).toBe(0);
    expect([...gaps].sort((a, b) => a - b)).toEqual(gaps);
    expect(gaps.at(-1)).toBe(72);
  });

  test('puts every position into a row, without gaps', () => {
    const made = chart([step(1, [[0, 1]]), step(2), step(0, [[1, 1]])]);
    for (const position of [0, 1, 2, 3]) {
      const { top, bottom } = rowOf(made, position);
      expect(bottom).toBeGreaterThan(top);
      expect(positionAt(made, top)).toBe(position);
      expect(positionAt(made, bottom - 0.01)).toBe(position);
    }
    expect(positionAt(made, -50)).toBe(0);
    expect(positionAt(made, 1e9)).toBe(3);
  });

  test('grows wider than the window for many processes', () => {
    expect(chart([], 2, 900).width).toBe(900);
    const wide = chart([], 50, 900);
    expect(wide.width).toBeGreaterThan(900);
    expect(columnX(wide, 49)).toBeLessThan(wide.width);
  });
});

describe('what is drawn', () => {
  const all = (steps: TraceStep[], processes = 3) => {
    const made = chart(steps, processes);
    return sequenceMarks(made, 0, made.height);
  };
  const texts = (steps: TraceStep[], look: string) =>
    all(steps).flatMap((mark) => (mark.kind === 'text' && mark.look === look ? [mark.text] : []));

  test('is where everybody is at the start, and where they go', () => {
    expect(texts([step(0, [[1, 2]])], 'box-text')).toEqual(['A', 'A', 'A', 'C']);
  });

  test('is an arrow from the sender to each receiver, named once', () => {
    const steps = [step(0, [[0, 1], [1, 1], [2, 1]], [edge(1, 'go', '!'), edge(0, 'go', '?'), edge(2, 'go', '?')])];
    const arrows = all(steps).filter((mark) => mark.kind === 'line' && mark.arrow);
    expect(arrows).toHaveLength(2);
    expect(texts(steps, 'message-text')).toEqual(['go']);
  });

  test('is a line without arrows where nobody sends', () => {
    const steps = [step(0, [[0, 1], [1, 1]], [edge(0, 'tick'), edge(1, 'tock')])];
    const lines = all(steps).filter((mark) => mark.look === 'message');
    expect(lines).toMatchObject([{ arrow: false }]);
    expect(texts(steps, 'message-text')).toEqual(['tick tock']);
  });

  test('is the length of each delay', () => expect(texts([step('5/2', [[0, 1]]), step(3)], 'delay-text')).toEqual(['+5/2', '+3']));

  test('is only what is visible', () => {
    const made = chart(Array.from({ length: 5000 }, () => step(1, [[0, 1]])));
    expect(sequenceMarks(made, 100_000, 100_800).length).toBeLessThan(200);
  });

  test('has keys that differ', () => {
    const marks = all([step(1, [[0, 1], [1, 1]], [edge(0, 'a', '!'), edge(1, 'a', '?')]), step(1, [[0, 2]]), step(4)]);
    expect(new Set(marks.map((mark) => mark.key)).size).toBe(marks.length);
  });

  test('says from where a run repeats', () => {
    const made = chart([step(1, [[0, 1]]), step(1, [[0, 0]])]);
    made.course.trace.repeats_from = 1;
    expect(sequenceMarks(made, 0, made.height).filter((mark) => mark.look === 'repeat')).toHaveLength(2);
  });

  test('has heads that are short however long the names are', () => {
    const made = chart([]);
    made.course.network.processes[0]!.name = '<script>'.repeat(10_000);
    for (const mark of headMarks(made)) if (mark.kind === 'text') expect(mark.text.length).toBeLessThan(60);
  });
});
