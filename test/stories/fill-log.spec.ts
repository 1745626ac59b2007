import pg from 'pg';
import { Program, type Environment } from '../setup/program.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';

let database: TestDatabase;
let env: Environment;

beforeAll(() => Program.build(), 120_000);

beforeEach(async () => {
  database = await createTestDatabase();
  env = { DATABASE_URL: database.url };
});

afterEach(() => database.drop());

async function fill(...args: string[]): Promise<Program> {
  const program = Program.node('dist/bench/fill-log.js', args, env);
  await program.ended;
  return program;
}

/** Projections that do not stand at the end of a lane. */
async function lanesBehind(): Promise<object[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<object>(
    `select projection, lane from checkpoint c full join lane l using (lane)
      where c.position is distinct from l.position`,
  );
  await client.end();
  return rows;
}

async function verified(): Promise<{ readonly intact: boolean; readonly events: number }> {
  const program = Program.popindex(['verify', '--json'], env);
  await program.ended;
  return JSON.parse(program.stdout) as { readonly intact: boolean; readonly events: number };
}

it.each([
  ['many accounts, until now', 3_000, ['--accounts', '150', '--keys', '7']],
  [
    'one account, over the ends of months and of weeks',
    2_000,
    ['--accounts', '1', '--keys', '500', '--from', '2026-08-20', '--to', '2026-10-15T10:00:00Z'],
  ],
])('a filled log is one that the service could have written: %s', async (_, calls, args) => {
  const filled = await fill('--events', String(calls), ...args);
  expect(await filled.ended).toBe(0);
  const { events } = JSON.parse(filled.stdout) as { readonly events: number };
  expect(events).toBeGreaterThan(calls);
  expect(await lanesBehind()).toEqual([]);
  const report = await verified();
  expect(report).toMatchObject({ intact: true });
  // The command itself may have been the first one to start.
  expect(report.events).toBeGreaterThanOrEqual(events);
});

it('a log that holds something is left alone', async () => {
  await fill('--events', '10', '--accounts', '1');
  const again = await fill('--events', '10', '--accounts', '1');
  expect(again.stderr).toBe('Only an empty log can be filled.\n');
  expect(await again.ended).toBe(1);
});
