import type { Plan } from '#account/terms.js';
import { plan } from '#account/scenario.suite.js';
import type { Prng } from './prng.js';

/** Probabilities, each for one operation, that something goes wrong with it. */
export interface Faults {
  readonly unreachable: number;
  readonly lostBeforeCommit: number;
  readonly lostAfterCommit: number;
  /** The caller gets a lost connection; the commit happens later. */
  readonly lostThenCommitted: number;
  /** A commit that comes later lets this chance pass, too. */
  readonly dawdling: number;
  /** Lanes left out because another writer seems to hold them. */
  readonly contended: number;
  /** The answer of an operation arrives in a step of its own. */
  readonly slowAnswer: number;
}

/** Probabilities for one message between the main thread and a decider. */
export interface MessageFaults {
  readonly lost: number;
  readonly twice: number;
}

export interface AccountSetting {
  readonly id: string;
  readonly credits: number;
  readonly overdraft: number | null;
  readonly testClock: boolean;
  readonly lowBalance: number | null;
  readonly plan: Plan | null;
}

/** Constants of one schedule. Each seed switches on only some of the dangers. */
export interface Setting {
  readonly processes: number;
  /** Groups of lanes. */
  readonly groups: number;
  /** Database servers that share the groups. */
  readonly servers: number;
  /** Groups that a process decides at once. */
  readonly appends: number;
  readonly batchMax: number;
  readonly accountsMax: number;
  readonly keysMax: number;
  readonly faults: Faults;
  /** How far clocks of processes are off, in ms, either way. */
  readonly skewMs: number;
  /** Chance in each step that some of the log is projected. */
  readonly projecting: number;
  /** Chance in each step that the next action begins, however much is still under way. */
  readonly hurry: number;
  /** Chance that a message arrives together with another one to the same process. */
  readonly bundling: number;
  /** Chance in each step that seconds pass, or that the window turns. */
  readonly leaping: number;
  /** Whether time actions jump to rollovers and over days; otherwise over seconds. */
  readonly longTimes: boolean;
  /** Whether databases come back older. */
  readonly goesBack: boolean;
  /** Of processes whose decider is a thread; null: they decide in the main thread. */
  readonly messages: MessageFaults | null;
  readonly accounts: readonly AccountSetting[];
}

export const NO_MESSAGE_FAULTS: MessageFaults = { lost: 0, twice: 0 };

export const NO_FAULTS: Faults = {
  unreachable: 0,
  lostBeforeCommit: 0,
  lostAfterCommit: 0,
  lostThenCommitted: 0,
  dawdling: 0,
  contended: 0,
  slowAnswer: 0,
};

/** Two accounts of one lane, and one of another, which may be of another group. */
const ACCOUNT_IDS = [
  '0197c000-0000-7000-8000-00000000000a',
  '0197c000-0000-7000-8000-00000000004a',
  '0197c000-0000-7000-8000-00000000002b',
];

function drawFaults(prng: Prng): Faults {
  const sometimes = (most: number) => (prng.chance(0.4) ? prng.next() * most : 0);
  return {
    unreachable: sometimes(0.15),
    lostBeforeCommit: sometimes(0.25),
    lostAfterCommit: sometimes(0.25),
    lostThenCommitted: sometimes(0.5),
    dawdling: prng.pick([0, 0.5, 0.9]),
    contended: sometimes(0.25),
    slowAnswer: sometimes(1),
  };
}

export function drawSetting(prng: Prng): Setting {
  const accounts = ACCOUNT_IDS.slice(0, 1 + prng.below(3)).map((id) => ({
    id,
    credits: prng.pick([100, 50_025, 300_000, 1_000_000]),
    overdraft: prng.pick([0, 0, 0, 15, 60_000, null]),
    testClock: prng.chance(0.2),
    lowBalance: prng.pick([null, null, 50, 20_000]),
    plan: prng.pick([null, null, plan]),
  }));
  return {
    processes: 1 + prng.below(3),
    groups: prng.pick([1, 2, 8]),
    servers: 1 + prng.below(3),
    appends: 1 + prng.below(2),
    batchMax: prng.pick([1, 2, 8, 512]),
    accountsMax: prng.pick([1, 2, 100]),
    keysMax: prng.pick([1, 2, 1_000]),
    faults: prng.chance(0.2) ? NO_FAULTS : drawFaults(prng),
    skewMs: prng.pick([0, 20, 1_000]),
    projecting: prng.pick([0, 0.02, 0.2]),
    hurry: prng.pick([0.05, 0.15, 0.4, 0.8]),
    bundling: prng.pick([0, 0.3, 1]),
    leaping: prng.pick([0, 0, 0.01, 0.05]),
    longTimes: prng.chance(0.6),
    goesBack: prng.chance(0.4),
    accounts,
    messages: prng.pick([null, null, NO_MESSAGE_FAULTS, { lost: 0.05, twice: 0.2 }]),
  };
}
