import type { Command } from '#account/commands.js';
import { TUESDAY } from '#account/scenario.suite.js';
import { laneGroups, laneOf, type EventLog } from '#event-log/event-log.js';
import type { LostPositions } from '#event-log/lane-continuity.js';
import { lossText } from '#event-log/log-losses.js';
import { MemoryEventLog } from '../../libs/event-log/test-adapters/memory-event-log.js';
import { AnswerAuditor } from './answer-auditor.js';
import { Attempts, type Attempt } from './attempts.js';
import { auditedStore } from './audited-store.js';
import { hold } from '../../bench/model/broken-rule.js';
import { connectedLog, connectedSource } from './connected-log.js';
import { Connection, NETWORK } from './connection.js';
import { deciderMail } from './decider-mail.js';
import { LogAuditor } from './log-auditor.js';
import { foundAccounts } from './found-accounts.js';
import { FAITHFUL, type Planting } from './planting.js';
import { Prng } from './prng.js';
import { Scheduler } from './scheduler.js';
import { Servers, type Server } from './servers.js';
import { NO_FAULTS, NO_MESSAGE_FAULTS, type Faults, type Setting } from './setting.js';
import { SimulatedLedger } from './simulated-ledger.js';
import { SimulatedProcess } from './simulated-process.js';

const NOT_AFTER_MS = 10_000;
const STAYS_AWAY = 0.8;

/** Who is to do what, sent to which process. */
export interface Message {
  readonly accountId: string;
  readonly callId: string;
  readonly command: Command;
  readonly isRetry: boolean;
  readonly process: number;
  readonly number: number;
}

/** Everything there is in one schedule: time, store, processes, messages, and the oracles. */
export class World {
  now = TUESDAY;
  calm = false;
  /** Whether servers that are down stay so. */
  outage = false;
  failure: unknown;
  /** Called for each answer and each end without one, after the oracles have checked it. */
  onEnd: (attempt: Attempt, refusal: unknown) => void = () => undefined;
  readonly scheduler: Scheduler;
  readonly attempts = new Attempts();
  auditor: LogAuditor;
  readonly store: EventLog;
  readonly servers: Servers;
  readonly ledger: SimulatedLedger;
  readonly processes: readonly SimulatedProcess[];
  private answers: AnswerAuditor;
  private readonly database: MemoryEventLog;
  private readonly lanesLost = new Set<number>();
  /** Messages that have not arrived yet. */
  private mail: Attempt[] = [];

  constructor(
    readonly setting: Setting,
    readonly prng: Prng,
    readonly note: (text: string) => void,
    private readonly planting: Planting = FAITHFUL,
  ) {
    this.scheduler = new Scheduler(prng);
    this.auditor = this.newAuditor(0);
    this.answers = new AnswerAuditor(this.auditor);
    const fail = (error: unknown) => (this.failure ??= error);
    this.database = new MemoryEventLog(() => this.now, laneGroups(setting.groups));
    this.servers = new Servers(this.database.groups, setting.servers, this.database);
    this.store = auditedStore(planting.store(this.database), (lanes) => this.takeIn(lanes), fail);
    this.ledger = planting.ledger(this.store);
    this.processes = Array.from({ length: setting.processes }, (_, index) => this.process(index));
  }

  /** Opens the accounts of the schedule, each with an API key and a grant. */
  async open(): Promise<void> {
    await foundAccounts(this.store, this.setting.accounts);
    this.servers.settle();
  }

  faults(): Faults {
    return this.calm ? NO_FAULTS : this.setting.faults;
  }

  /** Attempts for accounts whose servers are up. */
  get reachable(): Attempt[] {
    return this.attempts.open.filter(({ submission }) => this.isUp(submission.accountId));
  }

  isUp(accountId: string): boolean {
    return this.servers.reach([laneOf(accountId)]);
  }

  get lanes(): number[] {
    return [...new Set(this.setting.accounts.map(({ id }) => laneOf(id)))];
  }

  /** Puts a message on its way; it arrives in a step of its own, however late. */
  send({ accountId, callId, command, isRetry, process, number }: Message): void {
    const notAfter = this.now + NOT_AFTER_MS;
    // A client asks twice in one request, then again in another one under the same key.
    const requestId = `${callId}-${Math.ceil(number / 2)}`;
    const timed: Command =
      command.command === 'make-call'
        ? { ...command, request: { ...command.request, isRetry, requestId, notAfter } }
        : command;
    const attempt: Attempt = {
      submission: { accountId, callId, isRetry, notAfter, command: timed },
      number,
      process,
      sentInHistory: this.auditor.history,
      sentAtVersion: this.auditor.version(accountId),
      sentAt: this.now,
      clockReads: 0,
      ending: 'open',
    };
    this.attempts.add(attempt);
    this.mail.push(attempt);
    this.scheduler.add({ owner: NETWORK, name: '', run: () => this.deliver(attempt) });
  }

  /** Hands over a message, and with it others to the same process: they come in one packet. */
  private deliver(first: Attempt): void {
    const { bundling } = this.setting;
    const others = this.mail.filter(
      (attempt) =>
        attempt !== first && attempt.process === first.process && this.prng.chance(bundling),
    );
    if (!this.mail.includes(first)) return;
    for (const attempt of [first, ...others]) {
      const { callId, command } = attempt.submission;
      this.note(
        `P${attempt.process} gets ${command.command} ${callId.slice(-4)} (${attempt.number})`,
      );
      this.processes[attempt.process]?.submit(attempt);
    }
    this.mail = this.mail.filter((attempt) => attempt !== first && !others.includes(attempt));
  }

  crash(index: number): void {
    const process = this.processes[index];
    if (process === undefined) return;
    const { owner } = process;
    if (this.setting.messages === null || this.prng.chance(0.5)) process.crash();
    else {
      process.endDecider();
      // One that is only believed to be gone goes on deciding, and nobody hears it.
      if (this.prng.chance(0.5)) return;
    }
    this.scheduler.drop(owner);
  }

  /** A server goes away, until any later step, with or without its commits under way. */
  fail(server: Server, withCommits: boolean): void {
    if (server.isDown) return;
    this.note(`  ${server.name} is down`);
    server.isDown = true;
    if (!withCommits) this.scheduler.drop(server);
    this.awaitServer(server);
  }

  private awaitServer(server: Server): void {
    const run = (): void => {
      if (this.outage || (!this.calm && this.prng.chance(STAYS_AWAY))) {
        return this.awaitServer(server);
      }
      this.note(`  ${server.name} is back`);
      server.isDown = false;
    };
    this.scheduler.add({ owner: NETWORK, name: '', run });
  }

  /** A server comes back as it was after an earlier commit. Its work in progress is lost. */
  async goBack(server: Server, how: number, size: number): Promise<void> {
    const newest = server.moments.length - 1;
    const to = how < 0.5 ? newest - 1 : Math.floor(size * newest);
    const moment = server.moments[to];
    if (!this.setting.goesBack || moment === undefined) return;
    const before = await this.database.ends(this.lanes);
    moment();
    server.moments = server.moments.slice(0, to + 1);
    this.scheduler.drop(server);
    const after = await this.database.ends(this.lanes);
    const lost = before.filter((end, index) => end.position !== after[index]?.position);
    for (const { lane } of lost) this.lanesLost.add(lane);
    this.note(`  back to ${after.map(({ lane, position }) => `${lane}@${position}`).join(' ')}`);
    this.auditor = this.newAuditor(this.auditor.history + 1);
    this.answers = new AnswerAuditor(this.auditor, this.answers);
    await this.auditor.begin(this.store, this.lanes);
    await this.ledger.goBack();
  }

  private takeIn(lanes: readonly number[]): Promise<void> {
    this.servers.committed(lanes);
    return this.auditor.takeIn(this.store, lanes);
  }

  private newAuditor(history: number): LogAuditor {
    return new LogAuditor(this.attempts, () => this.now + this.setting.skewMs, history);
  }

  private onLost(lost: readonly LostPositions[]): void {
    for (const loss of lost) {
      this.note(`  lost ${lossText(loss)}`);
      hold(this.lanesLost.has(loss.lane), () => `${lossText(loss)} is reported, and never was.`);
    }
  }

  private process(index: number): SimulatedProcess {
    const { setting, planting, scheduler, prng, note } = this;
    const { messages } = setting;
    const faults = () => (this.calm ? NO_MESSAGE_FAULTS : (messages ?? NO_MESSAGE_FAULTS));
    const mail = { name: `D${index}`, scheduler, prng, faults };
    return new SimulatedProcess({
      limits: { ...setting, queueMax: 1_000, minBatchWhileBusy: 2 },
      connect: (owner) => {
        const name = `P${index}`;
        const faults = () => this.faults();
        const { servers } = this;
        const parts = { name, owner, scheduler, servers, prng, faults, note };
        const connection = new Connection(parts);
        const offset = Math.round((prng.next() * 2 - 1) * setting.skewMs);
        return {
          log: planting.log(connectedLog(this.store, connection)),
          source: planting.source(connectedSource(this.ledger, connection)),
          connection,
          clock: planting.clock({ now: () => this.now + offset }),
        };
      },
      create: planting.accounting,
      mail: messages && ((decider, owner) => deciderMail(decider, { ...mail, owner })),
      onAnswer: (attempt, answer, clock) => {
        const { refusal } = answer;
        const { callId } = attempt.submission;
        const said = answer.refusal === null ? describe(answer.event) : answer.refusal.reason;
        note(`  ⇒ ${callId.slice(-4)} ${said}`);
        this.answers.check(attempt, answer, clock);
        this.end(attempt, refusal);
      },
      onEnd: (attempt) => {
        note(`  ⇒ ${attempt.submission.callId.slice(-4)} ${attempt.ending}`);
        this.end(attempt, null);
      },
      onLost: (lost) => this.onLost(lost),
      onFailure: (error) => (this.failure ??= error),
    });
  }

  private end(attempt: Attempt, refusal: unknown): void {
    this.auditor.checkDenied(attempt.submission.callId);
    this.onEnd(attempt, refusal);
  }
}

function describe(event: { readonly type: string; readonly data: object } | null): string {
  if (event === null) return 'nothing to do';
  return 'cost' in event.data ? `${event.type} ${String(event.data.cost)}` : event.type;
}
