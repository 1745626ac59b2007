import type { Command } from './commands.js';
import { decide } from './decide.js';
import type { Refusal } from './refusal.js';
import type { AccountState } from './state.js';
import {
  after,
  callAt,
  changeAccount,
  DAY,
  grantCredits,
  origin,
  prepaid,
  setBudget,
  terms,
  TUESDAY,
} from './scenario.suite.js';

const change = changeAccount({ overdraft: 5 });
const account = prepaid(100_000);
const { version } = account;

/** Refuses states of other versions than these. */
function unless(versions: readonly number[]) {
  return (current: AccountState): Refusal | null =>
    versions.includes(current.version)
      ? null
      : { reason: 'version-moved', tag: `${current.version}` };
}

function asked(command: Command, versions?: readonly number[], state = account, at = TUESDAY) {
  const { events, refusal } = decide(state, command, at, terms, versions && unless(versions));
  return [events.map(({ type }) => type), refusal];
}

describe('a change that is meant for a version of the account', () => {
  it.each([
    ['that one', [version]],
    ['one of several', [version - 1, version]],
    ['any', undefined],
  ])('is made at %s', (_, versions) => {
    expect(asked(change, versions)).toEqual([['AccountChanged'], null]);
  });

  it.each([
    ['an older one', [version - 1]],
    ['one to come', [version + 1]],
    ['none', []],
  ])('is refused at %s', (_, versions) => {
    expect(asked(change, versions)).toEqual([[], { reason: 'version-moved', tag: `${version}` }]);
  });

  it('is refused once a call was made', () => {
    const called = after(account, TUESDAY, callAt(TUESDAY));
    const [, refusal] = asked(change, [version], called);
    expect(refusal).toEqual({ reason: 'version-moved', tag: `${called.version}` });
  });

  it('counts what has fallen due until then, which is recorded also when it is refused', () => {
    const expiresAt = TUESDAY + DAY;
    const expiring = after(account, TUESDAY, grantCredits(5, { expiresAt }));
    const refused = { reason: 'version-moved', tag: `${version + 2}` };
    const at = TUESDAY + 2 * DAY;
    expect(asked(change, [version + 1], expiring, at)).toEqual([['GrantExpired'], refused]);
    const made = [['GrantExpired', 'AccountChanged'], null];
    expect(asked(change, [version + 2], expiring, at)).toEqual(made);
  });

  it('is refused for its own sake first, as if no version had been named', () => {
    const [, refusal] = asked(setBudget(9, { isNew: false }), [version - 1]);
    expect(refusal).toMatchObject({ reason: 'not-found' });
  });

  it('is refused also where nothing is to do', () => {
    const resume: Command = { command: 'resume-account', origin };
    expect(asked(resume, [version - 1])).toEqual([
      [],
      { reason: 'version-moved', tag: `${version}` },
    ]);
    expect(asked(resume, [version])).toEqual([[], null]);
  });
});
