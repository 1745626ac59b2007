import { parseMetrics, sumBy, totalOf } from './metrics-text.js';

const TEXT = `# HELP popindex_charges_total Calls that were charged.
# TYPE popindex_charges_total counter
popindex_charges_total{kind="base",test="false"} 12
popindex_charges_total{kind="repeat",test="false"} 30
popindex_charges_total{kind="base",test="true"} 3

popindex_waiting_commands 0
popindex_odd{text="a \\"quoted\\", word"} 1e3
popindex_none NaN
`;

describe('a text of metrics', () => {
  const samples = parseMetrics(TEXT);

  it('becomes its values, without comments and what is no number', () => {
    expect(samples.map(({ name, value }) => [name, value])).toEqual([
      ['popindex_charges_total', 12],
      ['popindex_charges_total', 30],
      ['popindex_charges_total', 3],
      ['popindex_waiting_commands', 0],
      ['popindex_odd', 1000],
    ]);
  });

  it('is summed over all labels, or by one of them', () => {
    expect(totalOf(samples, 'popindex_charges_total')).toBe(45);
    expect([...sumBy(samples, 'popindex_charges_total', 'kind')]).toEqual([
      ['base', 15],
      ['repeat', 30],
    ]);
  });

  it('may hold quotes and commas inside a label', () => {
    expect(samples.at(-1)?.labels).toEqual({ text: 'a \\"quoted\\", word' });
  });
});
