// Tests of cards.ts.

import { describe, expect, test } from 'vitest';

import { cards, marksOf, usualArrangement } from './cards';
import { network, template, view } from './samples';
import { edge } from '../time/samples';

const TEMPLATES = [template('T'), template('Other')];

describe('cards', () => {
  test('are one for each process', () => {
    const list = cards(network(3), TEMPLATES, 'processes', new Set());
    expect(list.map((card) => card.title)).toEqual(['P0', 'P1', 'P2']);
    expect(new Set(list.map((card) => card.key)).size).toBe(3);
  });

  test('or one for each template', () => {
    const net = network(3);
    net.processes[1]!.template = 1;
    expect(cards(net, TEMPLATES, 'templates', new Set())).toMatchObject([
      { title: 'T × 2', processes: [0, 2] }, { title: 'P1', processes: [1] },
    ]);
  });

  test('leave out what is hidden or not drawn', () => {
    const net = network(4);
    net.processes[0]!.template = null;
    net.processes[1]!.template = 7;
    expect(cards(net, TEMPLATES, 'processes', new Set([2])).map((card) => card.processes)).toEqual([[3]]);
  });

  test('are of templates where there are many processes', () => {
    expect(usualArrangement(network(3))).toBe('processes');
    expect(usualArrangement(network(4))).toBe('templates');
    const net = network(4);
    net.processes.forEach((process, at) => (process.template = at));
    expect(usualArrangement(net)).toBe('processes');
  });
});

describe('marks', () => {
  const net = network(2);
  const now = view(2, { locations: [1, 1], changed: { processes: [0], edges: [[0, 0]], variables: [], clocks: [] } });

  test('are a token without a name on a card of one process', () => {
    const [card] = cards(net, TEMPLATES, 'processes', new Set());
    const marks = marksOf(card!, net, now, [edge(1)]);
    expect([...marks.tokens!]).toEqual([[1, ['']]]);
    expect([...marks.taken!]).toEqual([0]);
    expect([...marks.lit!]).toEqual([]);
  });

  test('are tokens with names on a card of several', () => {
    const [card] = cards(net, TEMPLATES, 'templates', new Set());
    const marks = marksOf(card!, net, now, [edge(1)]);
    expect([...marks.tokens!]).toEqual([[1, ['P0', 'P1']]]);
    expect([...marks.lit!]).toEqual([0]);
  });

  test('ask nothing of numbers that mean nothing', () => {
    const [card] = cards(net, TEMPLATES, 'processes', new Set());
    const marks = marksOf(card!, net, view(2, { locations: [99] }), [{ ...edge(0), edge: 99 }]);
    expect(marks.tokens!.size).toBe(0);
    expect(marks.lit!.size).toBe(0);
  });
});
