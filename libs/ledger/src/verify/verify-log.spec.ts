import { LANE, OTHER_LANE, SoundLog, SYSTEM_EVENTS } from './sound-log.suite.js';

let log: SoundLog;

beforeEach(async () => {
  log = await SoundLog.make();
});

afterEach(() => log.drop());

/** Position of the first call of a kind in LANE. */
async function position(kind: 'base' | 'repeat'): Promise<number> {
  const { rows } = await log.pool.query<{ position: number }>(
    `select min(position) as position from event
      where lane = $1 and type = 'CallMade' and data ->> 'kind' = $2`,
    [LANE, kind],
  );
  return rows[0]?.position ?? 0;
}

/** Writes another text into the data of the first call of a kind. */
async function forge(kind: 'base' | 'repeat', from: string, to: string): Promise<void> {
  await log.sql(
    `update event set data = replace(data::text, $3, $4)::json
      where lane = $1 and position = $2 and data::text like '%' || $3 || '%'`,
    [LANE, await position(kind), from, to],
  );
}

/** As `forge`, with all hashes and all projections made to fit: only the meaning is wrong. */
async function forgeWell(kind: 'base' | 'repeat', from: string, to: string): Promise<void> {
  await forge(kind, from, to);
  await log.chainAnew(LANE);
  await log.projectAnew();
}

async function withoutConstraint(name: string, change: () => Promise<void>): Promise<void> {
  await log.sql(`alter table event drop constraint ${name}`).catch(() => undefined);
  await change();
}

/** Cuts the newest batch of LANE off, with its events and the lane's row. */
async function dropTail(): Promise<void> {
  const batches = await log.log.batches(LANE, 0, 1_000);
  const [before, last] = batches.slice(-2);
  if (before === undefined || last === undefined) throw new Error('The lane is too short.');
  const cut = [LANE, before.lastPosition];
  await log.sql('delete from event where lane = $1 and position > $2', cut);
  await log.sql('delete from batch where lane = $1 and last_position > $2', cut);
  await log.sql('update lane set position = $2, head = $3 where lane = $1', [...cut, before.hash]);
}

test('a sound log has no findings, and everything in it was looked at', async () => {
  const report = await log.verify();
  expect(report.checks.filter(({ first }) => first !== null)).toEqual([]);
  expect(report).toMatchObject({ intact: true, lanes: 65 });
  const { rows } = await log.pool.query<{ count: number }>('select count(*) from event');
  expect(report.events).toBe(rows[0]?.count);
  expect(report.events).toBeGreaterThan(25);
});

test('projections that lag are compared with a replay up to where they stand', async () => {
  const origin = { by: 'o', request: 'r', input: '' };
  await log.write(log.accountId, Date.UTC(2026, 11, 2), { command: 'suspend-account', origin });
  expect(await log.found()).toEqual([]);
});

test('one lane is verified alone', async () => {
  await forge('base', '"rows":7', '"rows":8');
  expect(await log.verify(OTHER_LANE)).toMatchObject({ intact: true, lanes: 1 });
  expect(await log.verify(LANE)).toMatchObject({ intact: false, lanes: 1 });
});

test('a verification leaves nothing behind on its connections', async () => {
  await log.verify();
  const { rowCount } = await log.pool.query(
    `select from pg_class where relname = 'window_key' and relpersistence = 't'`,
  );
  expect(rowCount).toBe(0);
});

const DAMAGES: Record<string, [damage: () => Promise<void>, found: string[]]> = {
  'changed data': [
    () => forge('base', '"rows":7', '"rows":8'),
    ['chains: batch', 'projections: ledger_account'],
  ],
  'another moment': [
    () =>
      log.sql(`update event set at = at + interval '1 ms' where lane = $1 and position = 5`, [
        LANE,
      ]),
    ['chains: batch', 'charges: event', 'projections: ledger_account'],
  ],
  'a changed cost with hashes and projections that fit': [
    () => forgeWell('base', '"cost":[10,49990]', '"cost":[10,49980]'),
    ['charges: event', 'balances: event', 'corrections: event'],
  ],
  'a changed kind with hashes that fit': [
    async () => {
      await forge('repeat', '"kind":"repeat"', '"kind":"base"');
      await log.chainAnew(LANE);
    },
    ['charges: event', 'projections: event'],
  ],
  'a changed rule with hashes and projections that fit': [
    () => forgeWell('base', '"rule":"all beauty trends"', '"rule":"per row"'),
    ['charges: event'],
  ],
  'a changed rate card with hashes and projections that fit': [
    () => forgeWell('base', '"card":1', '"card":2'),
    ['charges: event'],
  ],
  'another grant drawn with hashes and projections that fit': [
    () => forgeWell('repeat', '"draws":[[2,10]]', '"draws":[[1,10]]'),
    ['charges: event'],
  ],
  'a changed balance with hashes and projections that fit': [
    () => forgeWell('repeat', '"balance":', '"balance":1'),
    ['charges: event'],
  ],
  'another window with hashes and projections that fit': [
    () => forgeWell('base', '"release"', '"window":"2026w40","release"'),
    ['charges: event'],
  ],
  'more credits granted with hashes and projections that fit': [
    async () => {
      await log.sql(
        `update event set data = replace(data::text, '"credits":1000000', '"credits":2000000')::json
          where lane = $1 and position = 3`,
        [LANE],
      );
      await log.chainAnew(LANE);
      await log.projectAnew();
    },
    ['charges: event'],
  ],
  'an expiry that is kept from happening': [
    async () => {
      await log.sql(
        `update event set type = 'AccountResumed' where lane = $1 and type = 'GrantExpired'`,
        [LANE],
      );
      await log.chainAnew(LANE);
      await log.projectAnew();
    },
    ['charges: event'],
  ],
  'a call given back twice': [
    async () => {
      const { rows } = await log.pool.query<{ id: string }>(
        `select data ->> 'call_id' as id from event
          where lane = $1 and type = 'Adjusted' and data ->> 'call_id' is not null`,
        [LANE],
      );
      const again = {
        command: 'adjust-credits' as const,
        origin: { by: 'o', request: 'r', input: '', reason: 'Again.' },
        credits: 50_000,
        call: { callId: rows[0]?.id ?? '', charged: 50_000 },
        grantId: 'again',
      };
      await log.write(log.accountId, Date.UTC(2026, 11, 2), again);
    },
    ['corrections: event'],
  ],
  'a dropped event': [
    async () =>
      log.sql('delete from event where lane = $1 and position = $2', [
        LANE,
        await position('repeat'),
      ]),
    [
      'positions: event',
      'batches: batch',
      'chains: batch',
      'versions: event',
      'charges: event',
      'projections: event',
    ],
  ],
  'an added event beyond the end': [
    () =>
      log.sql(
        `insert into event (lane, position, account_id, account_version, call_id, type, at, data)
         select lane, position + 1, account_id, account_version + 1, gen_random_uuid(), type, at, data
           from event where lane = $1 order by position desc limit 1`,
        [LANE],
      ),
    ['positions: lane', 'batches: batch', 'charges: event'],
  ],
  'swapped events': [
    async () => {
      const at = await position('repeat');
      for (const [from, to] of [
        [at, 1_000],
        [at + 1, at],
        [1_000, at + 1],
      ]) {
        await log.sql('update event set position = $3 where lane = $1 and position = $2', [
          LANE,
          from,
          to,
        ]);
      }
    },
    ['chains: batch', 'versions: event', 'charges: event', 'projections: event'],
  ],
  'a dropped tail that the ledger still knows': [
    dropTail,
    ['checkpoints: checkpoint', 'projections: ledger_account'],
  ],
  'a dropped tail with checkpoints that fit': [
    async () => {
      await dropTail();
      await log.sql(
        'update checkpoint c set position = l.position from lane l where l.lane = c.lane and c.lane = $1',
        [LANE],
      );
    },
    ['projections: ledger_account'],
  ],
  'a duplicated call': [
    () =>
      withoutConstraint('event_call_id', () =>
        log.sql(
          `update event set call_id = (select call_id from event where lane = $1 and position = 5)
            where lane = $1 and position = 6`,
          [LANE],
        ),
      ),
    ['chains: batch', 'call-ids: event', 'corrections: event', 'projections: ledger_account'],
  ],
  'a changed batch hash': [
    () =>
      log.sql(
        `update batch set hash = decode(repeat('ab', 32), 'hex') where lane = $1 and last_position = 4`,
        [LANE],
      ),
    ['chains: batch'],
  ],
  'a dropped batch row': [
    () => log.sql('delete from batch where lane = $1 and last_position = 4', [LANE]),
    ['batches: batch', 'chains: batch'],
  ],
  'an added batch row': [
    () =>
      log.sql(
        `insert into batch (lane, last_position, events, hash) select lane, 999, 1, hash from batch where lane = $1 limit 1`,
        [LANE],
      ),
    ['batches: batch'],
  ],
  'a changed lane head': [
    () => log.sql(`update lane set head = decode(repeat('cd', 32), 'hex') where lane = $1`, [LANE]),
    ['chains: lane'],
  ],
  'a moved lane position': [
    () => log.sql('update lane set position = position + 1 where lane = $1', [LANE]),
    ['positions: lane'],
  ],
  "a changed event of the system's lane": [
    () =>
      log.sql(`update event set data = '{"zone":"CET"}' where lane = 0 and position = $1`, [
        SYSTEM_EVENTS,
      ]),
    ['chains: batch'],
  ],
  'a changed balance in the ledger': [
    () =>
      log.sql(
        `update ledger_account set state = replace(state::text, '"balance":', '"balance":1')::json where lane = $1`,
        [LANE],
      ),
    ['projections: ledger_account'],
  ],
  'a changed head in the ledger': [
    () =>
      log.sql(`update ledger_account set head = decode(repeat('00', 32), 'hex') where lane = $1`, [
        LANE,
      ]),
    ['projections: ledger_account'],
  ],
  'a missing opened key': [
    () => log.sql('delete from ledger_opened where lane = $1', [LANE]),
    ['projections: ledger_opened'],
  ],
  'an extra opened key': [
    () =>
      log.sql(
        `insert into ledger_opened select lane, account_id, key || 'x', call_id, at from ledger_opened where lane = $1 limit 1`,
        [LANE],
      ),
    ['projections: ledger_opened'],
  ],
  'an API key of another account': [
    () =>
      log.sql('update ledger_api_key set account_id = $2 where lane = $1', [
        LANE,
        crypto.randomUUID(),
      ]),
    ['projections: ledger_api_key'],
  ],
  'a changed sum of a window': [
    () => log.sql('update window_key set credits_used = credits_used + 1 where lane = $1', [LANE]),
    ['projections: window_key'],
  ],
  'a checkpoint moved back': [
    () =>
      log.sql(
        `update checkpoint set position = position - 1 where lane = $1 and projection = 'windows'`,
        [LANE],
      ),
    ['projections: window_key'],
  ],
  'a checkpoint moved beyond the end': [
    () =>
      log.sql(
        `update checkpoint set position = position + 1 where lane = $1 and projection = 'ledger'`,
        [LANE],
      ),
    ['checkpoints: checkpoint'],
  ],
  'rows of another version': [
    () =>
      log.sql(`update checkpoint set version = 9 where lane = $1 and projection = 'ledger'`, [
        LANE,
      ]),
    ['checkpoints: checkpoint'],
  ],
  'a changed profile': [
    () =>
      log.sql(`update profile set body = '{"name":"Nobody"}' where account_id = $1`, [
        log.accountId,
      ]),
    ['profiles: profile'],
  ],
  'a missing profile': [
    () => log.sql('delete from profile where account_id = $1', [log.otherId]),
    ['profiles: profile'],
  ],
  'an event of a type that nobody knows': [
    () =>
      log.sql(`update event set type = 'CallMadeAnew' where lane = $1 and position = 5`, [LANE]),
    ['chains: batch', 'events: event', 'corrections: event', 'projections: event'],
  ],
  'the same API key hash in two accounts': [
    async () => {
      await log.sql(
        `update event set data = replace(data::text, '${'bb'.repeat(32)}', '${'aa'.repeat(32)}')::json
          where lane = $1 and type = 'ApiKeyIssued'`,
        [OTHER_LANE],
      );
      await log.chainAnew(OTHER_LANE);
    },
    ['api-keys: event', 'projections: ledger_account'],
  ],
};

test.each(Object.keys(DAMAGES))('%s is found', async (name) => {
  const [damage, expected] = DAMAGES[name] ?? [];
  await damage?.();
  expect(await log.found()).toEqual(expected);
  expect((await log.verify()).intact).toBe(false);
});

test('a finding names the row, what it must be and what it is', async () => {
  await forgeWell('base', '"cost":[10,49990]', '"cost":[10,49980]');
  const { checks } = await log.verify();
  expect(checks.find(({ check }) => check === 'charges')).toMatchObject({
    first: {
      table: 'event',
      key: `lane ${LANE}, position 5`,
      expected: { cost: [10, 49_990] },
      found: { cost: [10, 49_980] },
    },
  });
  await log.sql(`update window_key set calls = 99 where lane = $1 and key like '%/us/%'`, [LANE]);
  const after = (await log.verify()).checks.find(({ check }) => check === 'projections');
  expect(after?.first).toMatchObject({
    table: 'window_key',
    key: expect.stringContaining(`lane ${LANE}, account_id ${log.accountId}`),
    expected: { calls: 4 },
    found: { calls: 99 },
  });
});
