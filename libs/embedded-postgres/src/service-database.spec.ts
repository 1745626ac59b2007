import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { commandDatabase, serviceDatabase } from './service-database.js';
import { runningDatabase } from './state-file.js';

let dataDir: string;
let steps: ((msLeft: number) => Promise<void>)[];
const shutdown = {
  last: (_name: string, run: (msLeft: number) => Promise<void>) => void steps.push(run),
};
const ignore = () => undefined;
const embedded = () => ({ databaseUrl: null, migrationDatabaseUrl: null, dataDir });

beforeEach(() => {
  steps = [];
  dataDir = mkdtempSync(path.join(tmpdir(), 'popindex-service-'));
});

afterEach(async () => {
  for (const step of steps) await step(10_000);
  rmSync(dataDir, { recursive: true, force: true });
});

it('serves from the database that was given, and stops nothing of it', async () => {
  const url = 'postgresql://db.example.com/popindex';
  const migrationUrl = 'postgresql://owner@db.example.com/popindex';
  const given = { databaseUrl: url, migrationDatabaseUrl: migrationUrl, dataDir };
  expect(await serviceDatabase(given, shutdown, ignore)).toEqual({ url, migrationUrl });
  expect(await commandDatabase(given, shutdown)).toEqual({ url, migrationUrl });
  expect(steps).toEqual([]);
});

it('starts an embedded one else, which a command beside it joins and does not stop', async () => {
  const database = await serviceDatabase(embedded(), shutdown, ignore);
  expect(await commandDatabase(embedded(), shutdown)).toEqual(database);
  expect(steps).toHaveLength(1);
});

it('starts it for a command alone, and stops it with the command', async () => {
  const database = await commandDatabase(embedded(), shutdown);
  expect(runningDatabase(dataDir)).toEqual(database);
  await steps[0]?.(10_000);
  expect(runningDatabase(dataDir)).toBeUndefined();
});
