import { LANE, OTHER_LANE, soundLogOfEachTest } from '../verify/sound-log.suite.js';

const log = soundLogOfEachTest();

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
  await log.forge('base', '"rows":7', '"rows":8');
  expect(await log.verify(OTHER_LANE)).toMatchObject({ intact: true, lanes: 1 });
  expect(await log.verify(LANE)).toMatchObject({ intact: false, lanes: 1 });
});

test('a verification leaves nothing behind on its connections', async () => {
  await log.verify();
  const { rowCount } = await log.pool.query(
    `select from pg_class where relname = 'window_part' and relpersistence = 't'`,
  );
  expect(rowCount).toBe(0);
});

test('a connection that has projected before and after a verification verifies again', async () => {
  const { pool } = log;
  for (const round of [1, 2, 3]) {
    await log.projectAgain();
    const { idleCount, totalCount } = pool;
    expect([round, idleCount, await log.found()]).toEqual([round, totalCount, []]);
  }
});

test('a finding names the row, what it must be and what it is', async () => {
  await log.forgeWell('base', '"cost":[10,49990]', '"cost":[10,49980]');
  const { checks } = await log.verify();
  expect(checks.find(({ check }) => check === 'charges')).toMatchObject({
    first: {
      table: 'event',
      key: `lane ${LANE}, position 5`,
      expected: { cost: [10, 49_990] },
      found: { cost: [10, 49_980] },
    },
  });
  await log.sql('update window_part set calls[1] = 99 where lane = $1', [LANE]);
  const after = (await log.verify()).checks.find(({ check }) => check === 'projections');
  expect(after?.first).toMatchObject({
    table: 'window_part',
    key: expect.stringContaining(`lane ${LANE}, account_id ${log.accountId}`),
    expected: { calls: expect.not.arrayContaining([99]) },
    found: { calls: expect.arrayContaining([99]) },
  });
});
