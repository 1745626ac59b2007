import { AccountingUnavailableError } from '#account/charging.js';
import { laneGroups } from '#event-log/event-log.js';
import { openAccount, terms, TUESDAY } from '#account/scenario.suite.js';
import { DatabaseClock } from '#database/database-clock.js';
import { MemoryEventLog } from '../../event-log/test-adapters/memory-event-log.js';
import { SimulatedLedger } from '../../../test/simulator/simulated-ledger.js';
import { Accounting } from './accounting.js';

const ACCOUNT = '0197c000-0000-7000-8000-00000000000a';
const JUMP_MS = 7 * 86_400_000;

describe('a process whose clock cannot be trusted', () => {
  let wall: number;
  let monotonic: number;
  let databaseOffset: number;
  let clock: DatabaseClock;
  let log: MemoryEventLog;
  let accounting: Accounting;

  beforeEach(async () => {
    [wall, monotonic, databaseOffset] = [TUESDAY, 0, 0];
    clock = new DatabaseClock({
      askDatabase: async () => TUESDAY + monotonic + databaseOffset,
      onFault: () => undefined,
      wallClock: () => wall,
      monotonicClock: () => monotonic,
    });
    await clock.measure();
    log = new MemoryEventLog();
    accounting = new Accounting({
      log,
      loader: new SimulatedLedger(log),
      clock,
      clockState: () => clock.ready(),
      terms: () => terms,
      events: { onFault: () => undefined },
    });
  });

  function open(): Promise<unknown> {
    const callId = '0197c000-0000-7000-9000-000000000001';
    const notAfter = Infinity;
    const command = openAccount();
    return accounting.submit({ accountId: ACCOUNT, callId, isRetry: false, notAfter, command });
  }

  it('decides as long as its clock agrees with the database', async () => {
    await open();
    expect(await log.readAccount(ACCOUNT, 0, 10)).toHaveLength(1);
  });

  it.each<[string, () => void | Promise<void>]>([
    ['has jumped into next week', () => void (wall += JUMP_MS)],
    ['has jumped back', () => void (wall -= JUMP_MS)],
    [
      'is more than two seconds off the database',
      () => {
        databaseOffset = 2_001;
        return clock.measure();
      },
    ],
  ])('decides nothing once it %s, and says so', async (_what, disturb) => {
    await disturb();
    await expect(open()).rejects.toThrow(AccountingUnavailableError);
    expect(clock.now()).toBeLessThan(TUESDAY + JUMP_MS);
    expect(await log.readAccount(ACCOUNT, 0, 10)).toEqual([]);
  });

  it('decides again once the clock has been measured again', async () => {
    wall += JUMP_MS;
    databaseOffset = JUMP_MS;
    await clock.measure();
    await open();
    expect(await log.readAccount(ACCOUNT, 0, 10)).toHaveLength(1);
  });
});

describe('the groups of a log', () => {
  const [ONE, OTHER] = [`${ACCOUNT.slice(0, -2)}00`, `${ACCOUNT.slice(0, -2)}3f`];

  /** Appends under way after one command for one group and so many for another one. */
  async function underWay(groups: number, commands: number): Promise<number> {
    const log = new MemoryEventLog(Date.now, laneGroups(groups));
    const append = log.append.bind(log);
    let begun = 0;
    let goOn: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (goOn = resolve));
    log.append = async (appends) => {
      begun += 1;
      await held;
      return append(appends);
    };
    const accounting = new Accounting({
      log,
      loader: new SimulatedLedger(log),
      clock: { now: () => TUESDAY },
      terms: () => terms,
      events: { onFault: () => undefined },
    });
    let ids = 0;
    const open = (accountId: string): Promise<unknown> => {
      ids += 1;
      const callId = `0197c000-0000-7000-9000-${String(ids).padStart(12, '0')}`;
      const asked = { accountId, callId, isRetry: false, notAfter: Infinity };
      return accounting.submit({ ...asked, command: openAccount() });
    };
    const first = open(ONE);
    await new Promise(setImmediate);
    const others = Array.from({ length: commands }, () => open(OTHER));
    // Nothing here waits for more than promises.
    await new Promise(setImmediate);
    const found = begun;
    goOn();
    await Promise.all([first, ...others]);
    return found;
  }

  it.each([
    ['waits, with few commands, for the append of another one', 2, 63, 1],
    ['is appended beside another one with many commands', 2, 64, 2],
    ['waits for nobody where there are more groups than appends', 8, 1, 2],
  ])('%s', async (_rule, groups, commands, appends) => {
    expect(await underWay(groups, commands)).toBe(appends);
  });
});
