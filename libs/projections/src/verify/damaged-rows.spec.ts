import { LANE, OTHER_LANE, soundLogOfEachTest, SYSTEM_EVENTS } from './sound-log.suite.js';

const log = soundLogOfEachTest();

async function withoutConstraint(name: string, change: () => Promise<void>): Promise<void> {
  await log.sql(`alter table event drop constraint ${name}`).catch(() => undefined);
  await change();
}

/** Cuts the newest batch of LANE off, with its events and the lane's row. */
/** The last call, and the one before it, with which the ledger's row was written. */
async function dropTail(): Promise<void> {
  const batches = await log.log.batches(LANE, 0, 1_000);
  const [before, last] = batches.slice(-3);
  if (before === undefined || last === undefined) throw new Error('The lane is too short.');
  const cut = [LANE, before.lastPosition];
  await log.sql('delete from event where lane = $1 and position > $2', cut);
  await log.sql('delete from batch where lane = $1 and last_position > $2', cut);
  await log.sql(`update lane set position = $2, head = decode($3, 'hex') where lane = $1`, [
    ...cut,
    before.hash,
  ]);
}

const DAMAGES: Record<string, [damage: () => Promise<void>, found: string[]]> = {
  'a dropped event': [
    async () =>
      log.sql('delete from event where lane = $1 and position = $2', [
        LANE,
        await log.position('repeat'),
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
      const at = await log.position('repeat');
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
    [
      'chains: batch',
      'call-ids: event',
      'charges: event',
      'corrections: event',
      'projections: ledger_account',
    ],
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
    async () => {
      // The next batch may have been written in the same millisecond.
      for (const [table, at, position] of [
        ['batch', 'committed_at', 'last_position'],
        ['audit_entry', 'at', 'position'],
      ]) {
        const earlier = `update ${table} set ${at} = ${at} - interval '1 second'`;
        await log.sql(`${earlier} where lane = $1 and ${position} <= 4`, [LANE]);
      }
      await log.sql('delete from batch where lane = $1 and last_position = 4', [LANE]);
    },
    // The audit records the moment of writing, which only the batch holds.
    ['batches: batch', 'chains: batch', 'projections: audit_entry'],
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
    () => log.sql('update window_part set credits_used[1] = 7 where lane = $1', [LANE]),
    ['projections: window_part'],
  ],
  'a changed sum of a day': [
    () => log.sql('update day_usage set data_costs[1] = data_costs[1] + 1 where lane = $1', [LANE]),
    ['projections: day_usage'],
  ],
  'a checkpoint moved back': [
    () =>
      log.sql(`update checkpoint set position = 4 where lane = $1 and projection = 'windows'`, [
        LANE,
      ]),
    ['projections: window_part'],
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
      log.sql(
        `update checkpoint set version = version + 1 where lane = $1 and projection = 'ledger'`,
        [LANE],
      ),
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
      log.sql(`update event set type = 'CallMadeAgain' where lane = $1 and position = 5`, [LANE]),
    ['chains: batch', 'events: event', 'corrections: event', 'projections: event'],
  ],
  'the same API key hash in two accounts': [
    async () => {
      await log.sql(
        `update event set data = replace(data::text, '${'bb'.repeat(32)}', '${'aa'.repeat(32)}')::json
          where lane = $1 and type = 'ApiKeyIssued'`,
        [OTHER_LANE],
      );
      await log.chainAgain(OTHER_LANE);
    },
    ['api-keys: event', 'projections: ledger_account'],
  ],
};

test.each(Object.keys(DAMAGES))('%s is found', async (name) => {
  const [damage, expected] = DAMAGES[name] ?? [];
  await damage?.();
  expect(await log.found()).toEqual(expected);
});
