// Tests of delay.svelte.ts.

import { beforeEach, describe, expect, test, vi } from 'vitest';

import type { Delays, SimulationCommand } from '../api/types';
import { number } from '../time/samples';
import { view } from './samples';

const between = (from: number, to: number): Delays => ({ from: number(from), from_included: true, to: number(to), to_included: false });
const done: SimulationCommand[] = [];
const fake = {
  mode: 'concrete',
  refused: '',
  view: view(1, { patience: between(0, 9), choices: [{ label: 'a', edges: [], delays: [between(2, 5)], zone: [] }] }),
  do: async (command: SimulationCommand) => void done.push(command),
};
vi.mock('./session.svelte', () => ({ session: fake }));

const { delay, take, wait } = await import('./delay.svelte');

beforeEach(() => {
  done.length = 0;
  Object.assign(fake, { mode: 'concrete', refused: '' });
  delay.clear();
});

describe('a step', () => {
  test('is taken at the earliest moment if nothing is typed', async () => {
    await take(0);
    expect(done).toEqual([{ kind: 'step', choice: 0, delay: null }]);
  });

  test('is taken after what was typed, which counts once', async () => {
    delay.text = ' 2.5 ';
    await take(0);
    expect(done).toEqual([{ kind: 'step', choice: 0, delay: '5/2' }]);
    expect(delay.text).toBe('');
  });

  test('is not taken when it cannot be', async () => {
    delay.text = '5';
    await take(0);
    expect(done).toEqual([]);
    expect(fake.refused).toContain('[2, 5)');
  });

  test('has no delay in zones', async () => {
    fake.mode = 'symbolic';
    delay.text = '3';
    await take(0);
    expect(done).toEqual([{ kind: 'step', choice: 0, delay: null }]);
  });

  test('that does not exist is not taken', async () => {
    await take(7);
    expect(done).toEqual([]);
  });
});

describe('waiting', () => {
  test('passes the time that was typed', async () => {
    delay.text = '7/2';
    await wait();
    expect(done).toEqual([{ kind: 'wait', delay: '7/2' }]);
  });

  test('for nothing does nothing', async () => {
    await wait();
    expect(done).toEqual([]);
  });

  test('says what is wrong with what was typed', () => {
    expect(delay.complaint).toBe('');
    delay.text = 'soon';
    expect(delay.complaint).toContain('Not a number');
    delay.text = '9';
    expect(delay.complaint).toContain('[0, 9)');
    delay.text = '8';
    expect(delay.complaint).toBe('');
  });
});

test('a slider gives what somebody would type', () => {
  delay.slide(2.13, between(0, 9), 4n);
  expect(delay.text).toBe('9/4');
  expect(delay.slid).toBe(2.25);
});
