import type { ChargeRequest } from '#account/charging.js';
import type { Command } from '#account/commands.js';
import { momentOf } from '#account/state.js';
import { adjust, DAY, origin, terms } from '#account/scenario.suite.js';
import type { Window } from '#calendar/window.js';
import { latestPath, resourceKey } from '#rating/resource-key.js';
import { adjustmentIdOf } from '#deciding/command-id.js';
import type { Attempt } from './attempts.js';
import { at, operatorCommand } from './operator-commands.js';
import type { Action } from './plan.js';
import { RESOURCES, ROWS } from './resources.js';
import type { World } from './world.js';

const ATTEMPTS_MAX = 4;
const BURST_CALLS = 4;
/** How many of the calls ask for `latest`; the others name a week. */
const LATEST = 0.5;

/** Clients, operators, time and accidents. */
export class Actors {
  constructor(private readonly world: World) {
    world.onEnd = (attempt, refusal) => this.goOn(attempt, refusal);
  }

  act({ kind, choices }: Action): void | Promise<void> {
    const { world } = this;
    const [account, how = 0, process, size = 0] = choices;
    const accountId = at(world.setting.accounts, account).id;
    if (kind === 'time') return this.pass(how, size);
    if (kind === 'crash') return world.crash(this.at(process));
    const server = at(world.servers.all, account);
    if (kind === 'older') return world.goBack(server, how, size);
    if (kind === 'server-fails') return world.fail(server, how < 0.5);
    if (kind === 'again') return this.again(choices);
    if (kind === 'burst') return this.burst(accountId, choices);
    if (kind === 'give-back') return this.giveBack(choices);
    const callId = world.attempts.newId();
    if (kind === 'call') return this.call(accountId, callId, choices);
    const command = operatorCommand({
      kind,
      choices,
      name: callId,
      state: world.auditor.state(accountId),
      now: this.momentOf(accountId),
    });
    if (command === null) return;
    const isRetry = how < 0.5;
    world.send({ accountId, callId, command, isRetry, process: this.at(process), number: 1 });
  }

  /** A call for each account whose server is up, to each process. Returns their ids. */
  probe(): string[] {
    const { setting, processes, attempts } = this.world;
    const accounts = setting.accounts.filter(({ id }) => this.world.isUp(id));
    return accounts.flatMap(({ id }) =>
      processes.map((_, process) => {
        const callId = attempts.newId();
        this.call(id, callId, [0, 0, process / processes.length]);
        return callId;
      }),
    );
  }

  private at(choice = 0): number {
    return Math.floor(choice * this.world.processes.length);
  }

  /** The account's present time, as an API process believes it. */
  private momentOf(accountId: string): number {
    return momentOf(this.world.auditor.state(accountId), this.world.now);
  }

  private call(accountId: string, callId: string, choices: readonly number[]): void {
    const [, what, process, which = 0, keyed = 0, ceiling = 0, key = 0, release = 0] = choices;
    const { resource } = at(RESOURCES, what);
    let window = terms.calendar.windowAt(this.momentOf(accountId));
    const running = window.label;
    const weeksBack = which < LATEST ? 0 : at([0, 1, 1, 1, 2], (which - LATEST) / (1 - LATEST));
    for (let week = 0; week < weeksBack; week += 1) window = terms.calendar.previousWindow(window);
    const named = resourceKey(resource, window.label);
    const { lastApiKey, testClock } = this.world.auditor.state(accountId);
    const request: ChargeRequest = {
      callId,
      accountId,
      apiKey: key < 0.85 ? 1 : lastApiKey,
      key: named,
      asked: which < LATEST ? latestPath(resource) : named,
      resource,
      rows: ROWS,
      window: running,
      release: testClock !== null && release < 0.2 ? 'r2' : 'r1',
      maxCredits: ceiling < 0.1 ? 10 : null,
      tags: null,
      isRetry: keyed < 0.5,
      notAfter: 0,
    };
    const isRetry = keyed < 0.5;
    const message = { accountId, callId, command: { command: 'make-call', request } as const };
    this.world.send({ ...message, isRetry, process: this.at(process), number: 1 });
  }

  private burst(accountId: string, choices: readonly number[]): void {
    const { world } = this;
    const [account = 0, turns = 0, process = 0, ...rest] = choices;
    if (turns < 0.7 && world.setting.longTimes) {
      world.now = terms.calendar.windowAt(world.now).endsAt;
      world.note(`  now ${new Date(world.now).toISOString()}`);
    }
    for (let index = 0; index < BURST_CALLS; index += 1) {
      // The same numbers in another order: other resources, weeks and options.
      const turned = [...rest.slice(index), ...rest.slice(0, index)];
      const [what = 0, ...others] = turned;
      this.call(accountId, world.attempts.newId(), [account, what, process, ...others]);
    }
  }

  /** A retry under the same id, also while the first one is under way; or its key misused. */
  private again([which, how = 0, process, other = 0]: readonly number[]): void {
    const { all } = this.world.attempts;
    if (all.length === 0) return;
    const { accountId, callId, command } = at(all, which).submission;
    const misused: Command =
      command.command === 'make-call' && other < 0.1
        ? { ...command, request: { ...command.request, asked: `${command.request.asked}x` } }
        : command;
    this.world.send({
      accountId,
      callId,
      command: misused,
      isRetry: how < 0.9,
      process: this.at(process),
      number: 1,
    });
  }

  private giveBack([which, how = 0, process]: readonly number[]): void {
    const calls = this.world.attempts.all.filter(
      ({ ending, submission: { command } }) =>
        ending === 'answered' && command.command === 'make-call',
    );
    if (calls.length === 0) return;
    const { accountId, callId } = at(calls, which).submission;
    const stored = this.world.auditor.event(callId);
    if (stored === undefined) return;
    const [callCost = 0, dataCost = 0] = (JSON.parse(stored.data) as { cost: number[] }).cost;
    const charged = callCost + dataCost;
    const id = adjustmentIdOf(callId);
    const command: Command = {
      ...adjust(charged, { callId, charged }),
      origin: { ...origin, input: id, reason: 'Why.' },
      grantId: id,
    };
    this.world.send({
      accountId,
      callId: id,
      command,
      isRetry: how < 0.7,
      process: this.at(process),
      number: 1,
    });
  }

  private pass(how: number, size: number): void {
    const { world } = this;
    const { endsAt }: Window = terms.calendar.windowAt(world.now);
    const leap = world.setting.longTimes && how < 0.6;
    if (!leap) world.now += Math.floor(size * 15_000);
    else if (how < 0.35) world.now = Math.max(world.now, endsAt - 3 + Math.floor(size * 4));
    else world.now += Math.floor(size * (how < 0.5 ? DAY : 9 * DAY));
    world.note(`  now ${new Date(world.now).toISOString()}`);
  }

  /** As an API process goes on: resolves again what has moved, retries what went away. */
  private goOn({ submission, number, ending }: Attempt, refusal: unknown): void {
    const { world } = this;
    const { accountId, callId, command } = submission;
    if (number >= ATTEMPTS_MAX) return;
    const process = world.prng.below(world.processes.length);
    const message = { accountId, callId, isRetry: true, process, number: number + 1 };
    if (refusal === null) {
      if (ending === 'answered' || !world.prng.chance(0.5)) return;
      return world.send({ ...message, command });
    }
    if (command.command !== 'make-call') return;
    const moved = movedRequest(command.request, refusal as Moved);
    if (moved !== null)
      world.send({ ...message, command: { command: 'make-call', request: moved } });
  }
}

interface Moved {
  readonly reason: string;
  readonly window?: string;
  readonly release?: string;
}

/** The request for what is current now, or null if nothing has moved. */
function movedRequest(request: ChargeRequest, refusal: Moved): ChargeRequest | null {
  const { reason, window, release } = refusal;
  if (reason === 'release-moved' && release !== undefined) return { ...request, release };
  if (reason !== 'window-moved' || window === undefined) return null;
  const latest = request.asked === latestPath(request.resource);
  return { ...request, window, key: latest ? resourceKey(request.resource, window) : request.key };
}
