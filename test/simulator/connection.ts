import {
  AppendUncertainError,
  LogUnavailableError,
  type EventLog,
  type LaneAppend,
  type LaneEnd,
} from '#event-log/event-log.js';
import type { Prng } from './prng.js';
import type { Scheduler } from './scheduler.js';
import type { Servers } from './servers.js';
import type { Faults } from './setting.js';

/** Owns what no crash of a process takes away: messages under way. */
export const NETWORK = {};

export interface ConnectionParts {
  readonly name: string;
  /** The process that loses its answers by crashing. */
  readonly owner: object;
  readonly scheduler: Scheduler;
  readonly prng: Prng;
  readonly faults: () => Faults;
  /** Each owns the commits on it that nobody waits for: only its own end takes them away. */
  readonly servers: Servers;
  readonly note: (text: string) => void;
}

/** Between a process and the store: everything takes steps, and everything may fail. */
export class Connection {
  constructor(private readonly parts: ConnectionParts) {}

  /** A question about lanes: one snapshot, whose answer may arrive later than it was taken. */
  ask<Result>(
    what: string,
    lanes: readonly number[],
    effect: () => Promise<Result>,
  ): Promise<Result> {
    return this.operate(what, async () => {
      if (this.isAway(lanes)) throw new LogUnavailableError(`${what}: unreachable`);
      return effect();
    });
  }

  /** An append with every fate that it can have. */
  append(store: EventLog, appends: readonly LaneAppend[]): Promise<LaneEnd[]> {
    const what = `append ${appends.map(({ end, events }) => `${end.lane}@${end.position}+${events.length}`).join(' ')}`;
    const { scheduler, servers, prng, name } = this.parts;
    const lanes = appends.map(({ end }) => end.lane);
    const server = servers.of(lanes[0] ?? 0);
    const commitLater = (): void => {
      const run = async (): Promise<void> => {
        if (server.isDown || this.happens('dawdling')) return commitLater();
        await store.append(appends).catch(() => undefined);
      };
      scheduler.add({ owner: server, name: `${name} late ${what}`, run });
    };
    const effect = async () => {
      if (this.isAway(lanes)) throw new LogUnavailableError(`${what}: unreachable`);
      if (this.happens('lostBeforeCommit')) throw new AppendUncertainError('lost before');
      if (this.happens('lostThenCommitted')) {
        commitLater();
        throw new AppendUncertainError('lost, and committed later');
      }
      const free = appends.filter(() => !this.happens('contended'));
      const ends = free.length === 0 ? [] : await store.append(free);
      if (this.happens('lostAfterCommit')) throw new AppendUncertainError('lost after');
      return ends;
    };
    return this.operate(what, effect, () => {
      if (prng.chance(0.5)) commitLater();
    });
  }

  /** A wait that ends at any moment. */
  pause(): Promise<void> {
    return this.operate('retries', async () => undefined);
  }

  private isAway(lanes: readonly number[]): boolean {
    return !this.parts.servers.reach(lanes) || this.happens('unreachable');
  }

  private happens(fault: keyof Faults): boolean {
    const { faults, prng, note } = this.parts;
    const probability = faults()[fault];
    if (probability === 0 || !prng.chance(probability)) return false;
    note(`  … ${fault}`);
    return true;
  }

  private operate<Result>(
    what: string,
    effect: () => Promise<Result>,
    orphaned?: () => void,
  ): Promise<Result> {
    const { owner, scheduler, name } = this.parts;
    return new Promise<Result>((resolve, reject) => {
      const run = async (): Promise<void> => {
        const [result] = await Promise.allSettled([effect()]);
        const deliver = (): void => {
          if (result.status === 'fulfilled') resolve(result.value);
          else reject(result.reason as Error);
        };
        if (!this.happens('slowAnswer')) return deliver();
        scheduler.add({ owner, name: `${name} hears of ${what}`, run: deliver });
      };
      scheduler.add({ owner, name: `${name} ${what}`, run, ...(orphaned && { orphaned }) });
    });
  }
}
