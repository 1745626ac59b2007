import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandDatabase, serviceDatabase } from './service-database.js';
import { runningDatabaseUrl } from './state-file.js';

let dataDir: string;
let steps: ((msLeft: number) => Promise<void>)[];
const shutdown = {
  last: (_name: string, run: (msLeft: number) => Promise<void>) => void steps.push(run),
};
const ignore = () => undefined;

beforeEach(() => {
  steps = [];
  dataDir = mkdtempSync(path.join(tmpdir(), 'popindex-service-'));
});

afterEach(async () => {
  for (const step of steps) await step(10_000);
  rmSync(dataDir, { recursive: true, force: true });
});

it('serves from the database that was given, and stops nothing of it', async () => {
  const databaseUrl = 'postgresql://db.example.com/popindex';
  expect(await serviceDatabase({ databaseUrl, dataDir }, shutdown, ignore)).toBe(databaseUrl);
  expect(await commandDatabase({ databaseUrl, dataDir }, shutdown)).toBe(databaseUrl);
  expect(steps).toEqual([]);
});

it('starts an embedded one else, which a command beside it joins and does not stop', async () => {
  const url = await serviceDatabase({ databaseUrl: null, dataDir }, shutdown, ignore);
  expect(await commandDatabase({ databaseUrl: null, dataDir }, shutdown)).toBe(url);
  expect(steps).toHaveLength(1);
});

it('starts it for a command alone, and stops it with the command', async () => {
  const url = await commandDatabase({ databaseUrl: null, dataDir }, shutdown);
  expect(runningDatabaseUrl(dataDir)).toBe(url);
  await steps[0]?.(10_000);
  expect(runningDatabaseUrl(dataDir)).toBeUndefined();
});
