import fc from 'fast-check';
import { advance, evolveAll } from '#account/advance.js';
import { evolve } from '#account/evolve.js';
import { initialState } from '#account/state.js';
import {
  allBeauty,
  callAt,
  DAY,
  grantCredits,
  HOUR,
  openAccount,
  issueApiKey,
  plan,
  setBudget,
  terms,
  TUESDAY,
} from '#account/scenario.suite.js';
import type { AccountView, WindowFilter } from '../views/account-reads.js';
import { readEvent } from '../snapshots/account-tail.js';
import { accountView } from './account-view.js';
import { ledgerScene, type Writer } from './ledger-scene.suite.js';

const scene = ledgerScene();

type Kind = 'call' | 'grant' | 'expiring grant' | 'budget';
interface Step {
  readonly minutes: number;
  readonly kind: Kind;
  readonly region: 'us' | 'fr';
  readonly thenProject: boolean;
}

const step = fc.record<Step>({
  minutes: fc.integer({ min: 2, max: 20_000 }),
  kind: fc.constantFrom('call', 'call', 'grant', 'expiring grant', 'budget'),
  region: fc.constantFrom('us', 'fr'),
  thenProject: fc.boolean(),
});

async function take(writer: Writer, at: number, { kind, region }: Step): Promise<void> {
  switch (kind) {
    case 'call':
      return writer.write(at, callAt(at, { resource: { ...allBeauty, limit: 'top5', region } }));
    case 'grant':
      return writer.write(at, grantCredits(500));
    case 'expiring grant':
      return writer.write(at, grantCredits(700, { expiresAt: at + 3 * DAY, priority: 1 }));
    case 'budget': {
      const isNew = writer.account.state.budgets.length === 0;
      const period = region === 'us' ? 'month' : 'window';
      return writer.write(at, setBudget(60, { period, isNew }));
    }
  }
}

async function opened(withPlan: boolean): Promise<Writer> {
  const writer = scene.writer();
  await writer.write(TUESDAY, openAccount({ lowBalance: 900, plan: withPlan ? plan : null }));
  await writer.write(TUESDAY, issueApiKey({ hash: writer.hash }));
  await writer.write(TUESDAY, grantCredits(1_000));
  return writer;
}

/** The account at a moment, from all of its events up to then and the due ones. */
async function replayed(writer: Writer, moment: number): Promise<AccountView> {
  const events = (await writer.history()).filter(({ at }) => at <= moment).map(readEvent);
  const state = events.reduce(evolve, initialState);
  const due = advance(state, moment, terms.calendar);
  return accountView(writer.id, undefined, evolveAll(state, due), moment, { ...terms, cards: [] });
}

const RUNNING: WindowFilter = { window: null, after: null, limit: 10, asOf: null };

describe('the past', () => {
  it('reads as it did when it was the present, and as a replay of the whole log has it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.boolean(), fc.array(step, { maxLength: 14 }), async (withPlan, steps) => {
        const writer = await opened(withPlan);
        const before: { at: number; account: unknown; windows: unknown }[] = [];
        let at = TUESDAY;
        for (const taken of steps) {
          at += taken.minutes * 60_000;
          await take(writer, at, taken);
          if (taken.thenProject) await scene.project(writer.id);
          const present = scene.reads(at + 60_000);
          const account = await present.account(writer.id);
          const windows = await present.windows(writer.id, RUNNING);
          before.push({ at: at + 60_000, account, windows });
        }
        const reads = scene.reads(at + 40 * DAY);
        for (const { at: asOf, account, windows } of before) {
          expect(await reads.account(writer.id, asOf)).toEqual(account);
          expect(await reads.windows(writer.id, { ...RUNNING, asOf })).toEqual(windows);
          const { version: _, ...view } = await replayed(writer, asOf);
          expect(account).toMatchObject(view);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('holds what had fallen due by then, though nobody had looked', async () => {
    const writer = await opened(false);
    const expiresAt = TUESDAY + DAY;
    await writer.write(TUESDAY, grantCredits(700, { expiresAt, priority: 1 }));
    const reads = scene.reads(TUESDAY + 2 * DAY);
    expect((await reads.account(writer.id, expiresAt - 1))?.balance).toBe(1_700);
    expect((await reads.account(writer.id, expiresAt))?.balance).toBe(1_000);
  });

  it('begins when the account was opened, and ends now', async () => {
    const writer = await opened(false);
    const reads = scene.reads(TUESDAY + HOUR);
    expect((await reads.account(writer.id, TUESDAY))?.balance).toBe(1_000);
    await expect(reads.account(writer.id, TUESDAY - 1)).rejects.toMatchObject({
      name: 'BadMomentError',
      message: 'The account was opened at 2026-11-24T09:00:00.000Z',
    });
    await expect(reads.account(writer.id, TUESDAY + HOUR + 1)).rejects.toMatchObject({
      name: 'BadMomentError',
      message: 'The account has not come there: it is 2026-11-24T10:00:00.000Z',
    });
    expect(await reads.account('0197c000-0000-7000-8000-00000000ffff', TUESDAY)).toBeUndefined();
  });

  it('of an account with a test clock is that of its own time', async () => {
    const writer = scene.writer();
    const frozen = TUESDAY + 400 * DAY;
    await writer.write(TUESDAY, openAccount({ testClock: frozen, test: true }));
    await writer.write(TUESDAY, grantCredits(700, { expiresAt: frozen + DAY }));
    const origin = { by: 'o', request: 'r', input: '' };
    const now = frozen + 3 * DAY;
    await writer.write(TUESDAY, { command: 'move-test-clock', origin, now });
    const reads = scene.reads(TUESDAY);
    expect((await reads.account(writer.id, frozen + DAY - 1))?.balance).toBe(700);
    expect((await reads.account(writer.id, frozen + 2 * DAY))?.balance).toBe(0);
    expect((await reads.account(writer.id))?.now).toBe('2028-01-01T09:00:00.000Z');
  });

  it('of a long log is known by a few thousand of its events', async () => {
    const writer = await scene.writer().open();
    const moments: number[] = [];
    const balances: number[] = [];
    for (let call = 0; call < 11_000; call += 1) {
      const at = TUESDAY + call * 60_000;
      writer.decide(at, callAt(at, { resource: { ...allBeauty, limit: 'top5' } }));
      if (call % 1_000 === 999) {
        moments.push(at);
        balances.push(writer.account.state.balance);
        await writer.flush();
      }
    }
    await scene.project(writer.id);
    const { rows } = await scene.pool.query<{ version: number }>(
      'select version from ledger_snapshot where account_id = $1 order by version',
      [writer.id],
    );
    expect(rows.map(({ version }) => version)).toEqual([5_120, 10_240]);
    const reads = scene.reads(TUESDAY + 12_000 * 60_000);
    const past: number[] = [];
    for (const asOf of moments) past.push((await reads.account(writer.id, asOf))?.balance ?? 0);
    expect(past).toEqual(balances);
    await scene.pool.query(`update event set data = '{}' where account_version < 5120`);
    const shown = await reads.account(writer.id, moments.at(5) ?? 0);
    expect(shown?.balance).toBe(balances.at(5));
  });
});
