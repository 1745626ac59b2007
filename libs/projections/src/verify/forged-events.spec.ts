import { LANE, SoundLog } from './sound-log.suite.js';

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
  await log.chainAgain(LANE);
  await log.projectAgain();
}

const DAMAGES: Record<string, [damage: () => Promise<void>, found: string[]]> = {
  'changed data': [
    () => forge('base', '"rows":7', '"rows":8'),
    ['chains: batch', 'charges: event', 'projections: ledger_account'],
  ],
  'another moment': [
    () => log.moveMoment(LANE, 5, '1 ms'),
    ['chains: batch', 'charges: event', 'projections: ledger_account'],
  ],
  'a changed cost with hashes and projections that fit': [
    () => forgeWell('base', '"cost":[10,49990]', '"cost":[10,49980]'),
    ['charges: event', 'balances: event', 'corrections: event'],
  ],
  'a changed kind with hashes that fit': [
    async () => {
      await forge('repeat', '"kind":"repeat"', '"kind":"base"');
      await log.chainAgain(LANE);
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
      await log.chainAgain(LANE);
      await log.projectAgain();
    },
    ['charges: event'],
  ],
  'an expiry that is kept from happening': [
    async () => {
      await log.sql(
        `update event set type = 'AccountResumed' where lane = $1 and type = 'GrantExpired'`,
        [LANE],
      );
      await log.chainAgain(LANE);
      await log.projectAgain();
    },
    ['charges: event'],
  ],
  'the seal of a closed month': [
    async () => {
      await log.sql(
        `update event set data = replace(data::text, '"account_head":"', '"account_head":"0')::json
          where lane = $1 and type = 'MonthClosed'`,
        [LANE],
      );
      await log.projectAgain();
    },
    ['chains: batch', 'charges: event'],
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
};

test.each(Object.keys(DAMAGES))('%s is found', async (name) => {
  const [damage, expected] = DAMAGES[name] ?? [];
  await damage?.();
  expect(await log.found()).toEqual(expected);
});
