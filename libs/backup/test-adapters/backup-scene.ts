import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type pg from 'pg';
import { openDatabase } from '#database/database.js';
import type { NewEvent } from '#event-log/event-log.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { appendAgainst } from '../../../test/setup/log-steps.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import { wipeDatabase } from '../../../test/setup/wipe-database.js';
import { BACKED_UP_TABLES } from '../src/backed-up-tables.js';
import { manifestText, type Manifest } from '../src/manifest.js';
import { takeBackup } from '../src/take-backup.js';

/** A migrated database of its own, with its log. */
export class Stage {
  readonly pool: pg.Pool;
  readonly log: PostgresEventLog;

  private constructor(readonly database: TestDatabase) {
    this.pool = openDatabase({ url: database.url, applicationName: 'backup-stage' });
    this.log = new PostgresEventLog(this.pool, this.database.groups);
  }

  static async open(): Promise<Stage> {
    return new Stage(await createTestDatabase());
  }

  get url(): string {
    return this.database.url;
  }

  async close(): Promise<void> {
    await this.pool.end();
    await this.database.drop();
  }

  /** Appends lists of events, one list for each lane. */
  async append(...lists: readonly (readonly NewEvent[])[]): Promise<void> {
    await appendAgainst(this.log, lists);
  }

  /** Every row of a table as text, ordered; `where` narrows it. */
  async rows(table: string, where = 'true'): Promise<string[]> {
    const { rows } = await this.pool.query<{ row: string }>(
      `select t::text as row from ${table} t where ${where} order by t::text collate "C"`,
    );
    return rows.map(({ row }) => row);
  }

  async isEmpty(): Promise<boolean> {
    const counts = await Promise.all(
      ['event', 'batch', ...BACKED_UP_TABLES].map(async (table) => (await this.rows(table)).length),
    );
    return counts.every((count) => count === 0);
  }

  /** Takes away everything, migrations included: a database as it is created. */
  async wipe(): Promise<void> {
    await wipeDatabase(this.pool);
  }
}

/** JSON texts and names that a careless copy would change. */
const ODD: Partial<NewEvent>[] = [
  { data: '{"text": "Zoë \\"Ω\\" 漢字 🙂 \\\\ \\n \\u00e9 \\ud83d\\ude42"}' },
  { data: '{\n\t"spaced" :  1.50,\r\n "dup": 1, "dup": 2}' },
  { data: '[]', type: 'Odd\tname \\N "quoted" é' },
  { data: '"\\\\."', callId: null },
  { data: '{"n":12345678901234567890.10}', at: Date.parse('0001-01-01T00:00:00Z') },
  { data: 'null', at: Date.parse('9999-12-31T23:59:59.999Z') },
  { data: '{"edge":"\u007f\u0085\u2028\ufeff"}', at: Date.parse('2026-11-24T09:00:00.120Z') },
];

/** A service's worth of rows: three lanes, a profile, a load with every kind of value. */
export async function fill(stage: Stage): Promise<TestAccount[]> {
  const accounts = [1, 7, 7, 64].map((lane) => TestAccount.inLane(lane));
  for (const account of accounts) {
    await stage.append(ODD.map((columns) => account.next(columns)));
    for (let batch = 0; batch < 20; batch++) await stage.append(account.many(3));
  }
  await stage.pool.query(
    `insert into profile (id, account_id, body, sha256, created_at)
     select gen_random_uuid(), $1, json_build_object('name', E'Nails\t&\\nCo ' || n), sha256('x'),
            timestamptz '2026-11-24 09:00:00.123456+00' + n * interval '1 second'
       from generate_series(1, 50) as n`,
    [randomUUID()],
  );
  await stage.pool.query(
    `insert into secret (id, body, sha256) values (gen_random_uuid(), '\\x00ff5c', sha256('x'));
     insert into text_key (id, account_id, secret)
       values ('abcdefgh', gen_random_uuid(), decode(repeat('5c', 64), 'hex'));
     insert into account_external_id (external_id, account_id) values (E'CRM\\t1', gen_random_uuid());
     insert into redaction (id, plan) values (gen_random_uuid(), '{"rows":1}');
     insert into delivery (id, receiver, lane, position, status, type)
       values (gen_random_uuid(), gen_random_uuid(), 7, 3, 'failed', 'balance.low');
     insert into delivery_attempt values
       (gen_random_uuid(), gen_random_uuid(), now(), 12, 'failed', 500, E'The receiver\tanswered 500.');
     insert into delivery_cursor values (7, 3);
     insert into admin_token_use values (gen_random_uuid(), now());
     insert into sign_in_record values
       (now(), 'sign-in-failed', 'console', '10.0.0.1', '', null, null, now(), 1, 3);
     insert into refused_call values
       (gen_random_uuid(), now(), gen_random_uuid(), 'out-of-credits', '/v1/x', now(), now(), 1, 3, 35);
     insert into reconciliation values (gen_random_uuid(), 0, gen_random_uuid(), now(), '{"rows":1}');
     insert into document (sha256, account_id, media_type, body)
       values (sha256('x'), gen_random_uuid(), 'application/pdf', '\\x0009255c');
     insert into portal_session (id, account_id, role, opened_by, opened_at, link_hash, link_expires_at)
       values (gen_random_uuid(), gen_random_uuid(), 'viewer', 'system', now(), '\\x00ff', now());
     insert into console_session values ('\\x00ff', '\\xff00', now(), now());
     insert into operator
       values (gen_random_uuid(), 'https://a.example', 's', null, E'a\\tb', 'data', now());
     insert into account_member
       values (gen_random_uuid(), gen_random_uuid(), 'a@example.com', 'viewer', 'system', now());
     insert into portal_api_key values (gen_random_uuid(), gen_random_uuid(), gen_random_uuid())`,
  );
  await stage.pool.query(
    `insert into release_load (load, sha256) values (1, 'abc');
     insert into release_category values (1, 1, 2, 1, gen_random_uuid(), null, E'tab\there', 'beauty', null),
                                         (1, 2, 2, 2, gen_random_uuid(), null, '\\N', 'skin', '');
     insert into release_brand values (1, gen_random_uuid(), E'line\nbreak \\\\ "quoted"');
     insert into release_brand_category values (1, 1, gen_random_uuid());
     insert into release_relation values (1, 1, 'ingredients', gen_random_uuid());
     insert into release_series values
       (1, gen_random_uuid(), 'us', '{2026-01-01,2026-02-01}', '{1,9007199254740993}', '{0,0}', '{}');
     insert into release_figure (load, item, region, popularity, yoy_percent_increase)
       values (1, gen_random_uuid(), 'us', 123456789012345678901234.5600, -0.10)`,
  );
  return accounts;
}

/** Makes a folder for a backup below the system's temporary one, and removes all at the end. */
export class Folders {
  private readonly made: string[] = [];

  async make(): Promise<string> {
    const folder = await mkdtemp(path.join(tmpdir(), 'popindex-backup-'));
    this.made.push(folder);
    return path.join(folder, 'backup');
  }

  async remove(): Promise<void> {
    await Promise.all(this.made.map((folder) => rm(folder, { recursive: true, force: true })));
  }
}

/** Takes a backup that must succeed. */
export async function backUp(stage: Stage, folder: string): Promise<Manifest> {
  const result = await takeBackup(stage.url, folder);
  if (result.outcome !== 'written') throw new Error(result.reason);
  return result.manifest;
}

/** Changes a file of a backup, and the manifest so that its checksums fit the change. */
export async function forge(
  folder: string,
  manifest: Manifest,
  file: string,
  change: (lines: string[]) => string[],
): Promise<void> {
  const target = path.join(folder, file);
  const lines = (await readFile(target, 'utf8')).trimEnd().split('\n');
  const bytes = Buffer.from(`${change(lines).join('\n')}\n`);
  await writeFile(target, bytes);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const fit = <Each extends { file: string }>(each: Each): Each =>
    each.file === file ? { ...each, bytes: bytes.length, sha256 } : each;
  const forged = { ...manifest, lanes: manifest.lanes.map(fit), tables: manifest.tables.map(fit) };
  await writeFile(path.join(folder, 'manifest.json'), manifestText(forged));
}
