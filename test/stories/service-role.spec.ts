import path from 'node:path';
import pg from 'pg';
import { DataFolder } from '../setup/data-folder.js';
import { Program } from '../setup/program.js';
import { StartedService } from '../setup/started-service.js';

const PAID = '/v1/latest/cat1/trends/top5/popindex/us/beauty';

let data: DataFolder;
let restored: DataFolder;
let service: StartedService;

beforeAll(async () => {
  await Program.build();
  data = await DataFolder.make();
  restored = await DataFolder.make();
  service = await StartedService.start(data);
}, 180_000);

afterAll(async () => {
  await service.program.stop();
  await data.remove();
  await restored.remove();
});

/** A command as an operator runs it on a data folder: its exit code, then what it printed. */
async function popindex(folder: DataFolder, ...args: string[]): Promise<[number | null, string]> {
  const program = Program.popindex(args, { DATA_DIR: folder.path });
  return [await program.ended, program.stdout + program.stderr];
}

/** Lends the connection that the service and the commands beside it use. */
async function asService<Result>(use: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const { url } = JSON.parse(data.text('postgres.json')) as { url: string };
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}

it('all connections of the service are of a user who cannot change the log', async () => {
  const customer = await service.customer(1_000);
  expect((await customer.get(PAID)).status).toBe(200);
  await asService(async (client) => {
    const { rows } = await client.query<{ name: string }>(
      `select distinct usename as name from pg_stat_activity
        where backend_type = 'client backend' and application_name like 'popindex%'`,
    );
    expect(rows).toEqual([{ name: 'popindex_service' }]);
    for (const sql of [`update event set type = ''`, 'delete from batch', 'truncate event']) {
      await expect(client.query(sql)).rejects.toMatchObject({ code: '42501' });
    }
    await expect(client.query(`copy (select 1) to program 'true'`)).rejects.toThrow('permission');
  });
});

it('beside it a projection is rebuilt, and all is verified, backed up and restored', async () => {
  const rebuilt = await popindex(data, 'projections', 'rebuild', 'ledger');
  expect(rebuilt).toEqual([0, expect.stringContaining('and serves.')]);
  expect((await popindex(data, 'verify'))[0]).toBe(0);
  const backup = path.join(restored.path, '..', 'backup');
  expect((await popindex(data, 'backup', backup))[0]).toBe(0);
  const report = await popindex(restored, 'restore', backup);
  expect(report).toEqual([0, expect.stringContaining('Restored: ')]);
  expect((await popindex(restored, 'projections', 'rebuild', 'windows'))[0]).toBe(0);
  const verdict = await popindex(restored, 'verify');
  expect(verdict).toEqual([0, expect.stringContaining('belong together')]);
}, 180_000);
