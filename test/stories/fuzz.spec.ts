import { fuzz, type FuzzReport } from '../fuzz/fuzz.js';
import { reportText } from '../fuzz/report-text.js';
import { isLong } from '../setup/long.js';
import { Service } from '../setup/service.js';

const SEED = 20_261_124;
const REQUESTS = isLong ? 2_000 : 1_000;
const GROWTH_MIB_MAX = 250;

describe(`${REQUESTS} generated requests, from right to hostile`, () => {
  let report: FuzzReport;

  beforeAll(async () => {
    const service = await Service.start();
    const { apiUrl, adminUrl, adminToken, process } = service;
    const pid = process.child.pid ?? 0;
    const fuzzed = { apiUrl, adminUrl, adminToken, pid, output: () => process.output };
    const ports = ['api', 'accounting'] as const;
    try {
      report = await fuzz(fuzzed, { seed: SEED, requests: REQUESTS, ports, stalls: false });
    } finally {
      await service.stop();
    }
  }, 120_000);

  it('are all answered as the documents say, once, in time and without an error inside', () => {
    if (report.findings.length > 0) throw new Error(reportText(report, SEED));
    expect(report.requests).toBeGreaterThanOrEqual(REQUESTS);
  });

  it('cost what the answers say and nothing else, and leave the service ready', () => {
    expect(report.faults).toEqual([]);
    expect(report.calls).toBeGreaterThan(50);
  });

  it('reach every kind of answer', () => {
    const seen = Object.keys(report.statuses);
    const expected = ['200', '304', '400', '401', '402', '403', '404', '405', '406', '412', '414'];
    expect(seen).toEqual(expect.arrayContaining(expected.map((status) => `api ${status}`)));
    expect(seen).toEqual(expect.arrayContaining(['accounting 201', 'accounting 409']));
  });

  it('leave the memory as it was, but for what a cache may hold', () => {
    const [first = 0] = report.memoryMib;
    expect((report.memoryMib.at(-1) ?? 0) - first).toBeLessThan(GROWTH_MIB_MAX);
  });
});
