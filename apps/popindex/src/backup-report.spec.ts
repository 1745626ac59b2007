import type { Manifest } from '#backup/manifest.js';
import { manifestSum } from '#backup/manifest.js';
import { ProgressBar } from './progress-bar.js';
import {
  backupReport,
  backupReportJson,
  backupSucceeded,
  type BackupResult,
} from './backup-report.js';

const manifest: Manifest = {
  format: 1,
  created_at: '2026-11-24T09:00:00.123Z',
  server_version: '18.4',
  migrations: [],
  events: 1_234_567,
  batches: 3,
  lanes: [],
  tables: [],
};
const sum = manifestSum(manifest);
const state = `1,234,567 events as of 2026-11-24T09:00:00.123Z, state ${sum}`;
const faults = [
  { file: 'log/lane-07.jsonl', line: 8, reason: 'holds position 9 instead of 8' },
  { file: 'tables/profile.copy', line: null, reason: 'is missing' },
];

test.each<[BackupResult, string, boolean]>([
  [
    { outcome: 'written', manifest, sha256: sum, bytes: 564_000_001, seconds: 10 },
    `Backed up: ${state}.\n565 MB in 10.0 s, 123,457 events a second.`,
    true,
  ],
  [
    { outcome: 'restored', manifest, seconds: 10 },
    `Restored: ${state}.\nIn 10.0 s, 123,457 events a second. ` + 'Its projections are built.',
    true,
  ],
  [{ outcome: 'sound', manifest }, `Nothing is wrong with it: ${state}.`, true],
  [{ outcome: 'refused', reason: 'It is full.' }, 'Nothing was done: It is full.', false],
  [
    { outcome: 'faulty', faults },
    'log/lane-07.jsonl:8: holds position 9 instead of 8\n' +
      'tables/profile.copy: is missing\nNot restored: 2 faults.',
    false,
  ],
])('a result is reported to a person and by the exit code', (result, text, isSuccess) => {
  expect(backupReport(result)).toBe(text);
  expect(backupSucceeded(result)).toBe(isSuccess);
});

test('as JSON a result names the state instead of listing every file', () => {
  expect(JSON.parse(backupReportJson({ outcome: 'restored', manifest, seconds: 10 }))).toEqual({
    outcome: 'restored',
    created_at: manifest.created_at,
    events: 1_234_567,
    batches: 3,
    seconds: 10,
    sha256: sum,
  });
  expect(JSON.parse(backupReportJson({ outcome: 'faulty', faults }))).toEqual({
    outcome: 'faulty',
    faults,
  });
});

test('without a terminal, progress is a line a stage and one for each tenth of it', () => {
  const printed: string[] = [];
  const output = { isTTY: false, write: (text: string) => printed.push(text) };
  const bar = new ProgressBar(output as unknown as NodeJS.WriteStream);
  for (let done = 0; done <= 2_000; done++) {
    bar.show({ stage: 'loading', done, total: 2_000, unit: 'rows' });
  }
  bar.show({ stage: 'indexing', done: 0, total: 0, unit: 'steps' });
  expect(printed).toHaveLength(12);
  expect(printed[0]).toBe('loading: 0 % (0 of 2,000 rows)\n');
  expect(printed[1]).toBe('loading: 10 % (200 of 2,000 rows)\n');
  expect(printed.at(-1)).toBe('indexing: 100 % (0 of 0 steps)\n');
});
