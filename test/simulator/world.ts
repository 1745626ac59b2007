import type { Command } from '#account/commands.js';
import { TUESDAY } from '#account/scenario.suite.js';
import { laneOf, type EventLog } from '#event-log/event-log.js';
import { MemoryEventLog } from '#event-log/memory-event-log.js';
import { AnswerAuditor } from './answer-auditor.js';
import { Attempts, type Attempt } from './attempts.js';
import { auditedStore } from './audited-store.js';
import { connectedLog, connectedSource } from './connected-log.js';
import { Connection, NETWORK } from './connection.js';
import { LogAuditor } from './log-auditor.js';
import { foundAccounts } from './found-accounts.js';
import { FAITHFUL, type Planting } from './planting.js';
import { Prng } from './prng.js';
import { Scheduler } from './scheduler.js';
import { NO_FAULTS, type Faults, type Setting } from './setting.js';
import { SimulatedLedger } from './simulated-ledger.js';
import { SimulatedProcess } from './simulated-process.js';

const NOT_AFTER_MS = 10_000;

/** Who is to do what, sent to which process. */
export interface Message {
  readonly accountId: string;
  readonly callId: string;
  readonly command: Command;
  readonly mayExist: boolean;
  readonly process: number;
  readonly number: number;
}

/** Everything there is in one schedule: time, store, processes, messages, and the oracles. */
export class World {
  now = TUESDAY;
  calm = false;
  failure: unknown;
  /** Told of each answer and each end without one, after the oracles have looked at it. */
  onEnd: (attempt: Attempt, refusal: unknown) => void = () => undefined;
  readonly scheduler: Scheduler;
  readonly attempts = new Attempts();
  readonly auditor: LogAuditor;
  readonly store: EventLog;
  readonly ledger: SimulatedLedger;
  readonly processes: readonly SimulatedProcess[];
  private readonly answers: AnswerAuditor;
  /** Messages that have not arrived yet. */
  private mail: Attempt[] = [];

  constructor(
    readonly setting: Setting,
    readonly prng: Prng,
    readonly note: (text: string) => void,
    private readonly planting: Planting = FAITHFUL,
  ) {
    this.scheduler = new Scheduler(prng);
    this.auditor = new LogAuditor(this.attempts, () => this.now + setting.skewMs);
    this.answers = new AnswerAuditor(this.auditor);
    const fail = (error: unknown) => (this.failure ??= error);
    this.store = auditedStore(
      planting.store(new MemoryEventLog(() => this.now)),
      this.auditor,
      fail,
    );
    this.ledger = planting.ledger(this.store);
    this.processes = Array.from({ length: setting.processes }, (_, index) => this.process(index));
  }

  /** Opens the accounts of the schedule, each with an API key and a grant. */
  async open(): Promise<void> {
    await foundAccounts(this.store, this.setting.accounts);
  }

  faults(): Faults {
    return this.calm ? NO_FAULTS : this.setting.faults;
  }

  get lanes(): number[] {
    return [...new Set(this.setting.accounts.map(({ id }) => laneOf(id)))];
  }

  /** Puts a message on its way; it arrives in a step of its own, however late. */
  send({ accountId, callId, command, mayExist, process, number }: Message): void {
    const notAfter = this.now + NOT_AFTER_MS;
    // A client asks twice in one request, then again in another one under the same key.
    const requestId = `${callId}-${Math.ceil(number / 2)}`;
    const timed: Command =
      command.command === 'make-call'
        ? { ...command, request: { ...command.request, mayExist, requestId, notAfter } }
        : command;
    const attempt: Attempt = {
      submission: { accountId, callId, mayExist, notAfter, command: timed },
      number,
      process,
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
    process.crash();
    this.scheduler.drop(owner);
  }

  private process(index: number): SimulatedProcess {
    const { setting, planting, scheduler, prng, note } = this;
    return new SimulatedProcess({
      limits: { ...setting, queueMax: 1_000 },
      connect: (owner) => {
        const name = `P${index}`;
        const faults = () => this.faults();
        const connection = new Connection({ name, owner, scheduler, prng, faults, note });
        const offset = Math.round((prng.next() * 2 - 1) * setting.skewMs);
        return {
          log: planting.log(connectedLog(this.store, connection)),
          source: planting.source(connectedSource(this.ledger, connection)),
          connection,
          clock: planting.clock({ now: () => this.now + offset }),
        };
      },
      create: planting.accounting,
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
