import { LANE, soundLogOfEachTest } from './sound-log.suite.js';

const log = soundLogOfEachTest();

const DAMAGES: Record<string, [damage: () => Promise<void>, found: string[]]> = {
  'changed data': [
    () => log.forge('base', '"rows":7', '"rows":8'),
    ['chains: batch', 'charges: event', 'projections: ledger_account'],
  ],
  'another moment': [
    () => log.moveMoment(LANE, 5, '1 ms'),
    ['chains: batch', 'charges: event', 'projections: ledger_account'],
  ],
  'a changed cost with hashes and projections that fit': [
    () => log.forgeWell('base', '"cost":[10,49990]', '"cost":[10,49980]'),
    ['charges: event', 'balances: event', 'corrections: event'],
  ],
  'a changed kind with hashes that fit': [
    async () => {
      await log.forge('repeat', '"kind":"repeat"', '"kind":"base"');
      await log.chainAgain(LANE);
    },
    ['charges: event', 'projections: event'],
  ],
  'a changed rule with hashes and projections that fit': [
    () => log.forgeWell('base', '"rule":"all beauty trends"', '"rule":"per row"'),
    ['charges: event'],
  ],
  'a changed rate card with hashes and projections that fit': [
    () => log.forgeWell('base', '"card":1', '"card":2'),
    ['charges: event'],
  ],
  'another grant drawn with hashes and projections that fit': [
    () => log.forgeWell('repeat', '"draws":[[2,10]]', '"draws":[[1,10]]'),
    ['charges: event'],
  ],
  'a changed balance with hashes and projections that fit': [
    () => log.forgeWell('repeat', '"balance":', '"balance":1'),
    ['charges: event'],
  ],
  'another window with hashes and projections that fit': [
    () => log.forgeWell('base', '"release"', '"window":"2026w40","release"'),
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
