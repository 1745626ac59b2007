import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { isLong } from '../setup/long.js';
import { Program } from '../setup/program.js';

interface Report {
  readonly calls: number;
  readonly events_in_log: number;
  readonly violations: readonly unknown[];
  readonly faults: readonly { readonly what: string; readonly times: number }[];
}

let folder: string;

beforeAll(async () => {
  await Program.build();
  folder = await mkdtemp(path.join(tmpdir(), 'popindex-torture-spec-'));
}, 120_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

// This seed's plan: workers killed, then accounting while an older database takes its place.
(isLong ? describe : describe.skip)('under the faults of a short plan', () => {
  it('every answer stands in the log, nothing hangs, and every balance adds up', async () => {
    const file = path.join(folder, 'report.md');
    // A plan of times ends as soon as it can, and is the same on a machine that is slow.
    const flags = ['--minutes', '4', '--times', '2', '--seed', '4171', '--report', file];
    const program = Program.node('dist/bench/torture/main.js', flags, {});
    const exitCode = await program.ended;
    expect(exitCode === 0 ? '' : `${program.stdout}${program.stderr}`).toBe('');
    const text = await readFile(file.replace('.md', '.json'), 'utf8');
    const report = JSON.parse(text) as Report;
    expect(report.violations).toEqual([]);
    const faults = report.faults.map(({ what }) => what);
    expect(faults).toEqual(
      expect.arrayContaining(['older database', 'kill -9 of workers', 'kill -9']),
    );
    expect(report.events_in_log).toBeGreaterThan(100);
    expect(report.calls).toBeGreaterThan(100);
  }, 480_000);
});
