import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
  expect(await commandDatabase(given, shutdown, ignore)).toEqual({ url, migrationUrl });
  expect(steps).toEqual([]);
});

it('starts an embedded one else, which a command beside it joins and does not stop', async () => {
  const database = await serviceDatabase(embedded(), shutdown, ignore);
  expect(await commandDatabase(embedded(), shutdown, ignore)).toEqual(database);
  expect(steps).toHaveLength(1);
});

it('starts it for a command alone, and stops it with the command', async () => {
  const database = await commandDatabase(embedded(), shutdown, ignore);
  expect(runningDatabase(dataDir)).toEqual(database);
  await steps[0]?.(10_000);
  expect(runningDatabase(dataDir)).toBeUndefined();
});

it('a command waits for the database of a service that starts, and joins it', async () => {
  const starting = serviceDatabase(embedded(), shutdown, ignore);
  const waitsFor: (number | undefined)[] = [];
  const joined = commandDatabase(embedded(), shutdown, (pid) => waitsFor.push(pid));
  expect(await joined).toEqual(await starting);
  expect(waitsFor).toEqual([process.pid]);
  expect(steps).toHaveLength(1);
});

it('a service waits for a command that uses the folder, and starts when it has ended', async () => {
  await commandDatabase(embedded(), shutdown, ignore);
  const events: string[] = [];
  const starting = serviceDatabase(embedded(), shutdown, ({ event }) => events.push(event));
  await steps.shift()?.(10_000);
  expect(runningDatabase(dataDir)).toBeUndefined();
  expect(await starting).toEqual(runningDatabase(dataDir));
  expect(events).toEqual(['waits', 'started']);
});

it.each([
  ['a file', () => path.join(dataDir, 'file'), /file is a file; it takes a folder$/],
  ['below a file', () => path.join(dataDir, 'file', 'data'), /data is a file/],
])('a folder that is %s is one line', async (_what, folder, line) => {
  writeFileSync(path.join(dataDir, 'file'), '');
  const settings = { ...embedded(), dataDir: folder() };
  const refused = serviceDatabase(settings, shutdown, ignore);
  await expect(refused).rejects.toMatchObject({
    name: 'EmbeddedPostgresError',
    message: expect.stringMatching(/^DATA_DIR: /),
  });
  await expect(refused).rejects.toThrow(line);
});
