import { setTimeout as delay } from 'node:timers/promises';
import type { CallMix } from './call-mix.js';
import { latenciesOf } from './latencies.js';
import { LoadConnection, type LoadAnswer } from './load-connection.js';
import type { LoadOrder, LoadResult } from './load.js';

export interface Caller {
  readonly mix: CallMix;
  nextRequest(): string;
}

interface Line {
  readonly caller: Caller;
  readonly connection: LoadConnection;
  /** When the call in flight was due, and when it was sent. */
  dueAt: number;
  sentAt: number;
}

const TICK_MS = 1;
/** Latencies of the first calls are reported apart; of a short round those of its first half. */
const FIRST_MS = 1_000;
const OK = 200;

/** One round of load: connects every caller, calls for the time ordered, and hears all answers. */
export class LoadRound {
  private readonly firstSecond: number[] = [];
  private readonly latencies: number[] = [];
  private readonly sinceDue: number[] = [];
  private idle: Line[] = [];
  /** Calls that are due and wait for a connection: when they were due, the oldest first. */
  private waiting: number[] = [];
  private inFlight = 0;
  private faults = 0;
  private bases = 0;
  private inTime = 0;
  private connectMs = 0;
  private startedAt = 0;
  private steadyFrom = 0;
  private endsAt = 0;
  /** Whether no further call will fall due. */
  private allDue = false;
  private lost: Error | undefined;
  private onQuiet: () => void = () => undefined;
  private onLost: (error: Error) => void = () => undefined;

  constructor(
    private readonly order: LoadOrder,
    private readonly callers: readonly Caller[],
  ) {}

  async run(): Promise<LoadResult> {
    const beganAt = performance.now();
    const lines = await Promise.all(this.callers.map((caller) => this.connect(caller)));
    this.connectMs = performance.now() - beganAt;
    const cpu = process.cpuUsage();
    const asked = this.asked();
    const quiet = new Promise<void>((resolve, reject) => {
      this.onQuiet = resolve;
      this.onLost = reject;
    });
    this.startedAt = performance.now();
    this.endsAt = this.startedAt + this.order.seconds * 1000;
    this.steadyFrom = this.startedAt + Math.min(FIRST_MS, this.order.seconds * 500);
    const { callsPerSecond } = this.order;
    if (callsPerSecond === undefined) this.callAgainAndAgain(lines);
    else void this.callAtRate(lines, callsPerSecond);
    try {
      await quiet;
    } finally {
      for (const { connection } of lines) connection.close();
    }
    const { user, system } = process.cpuUsage(cpu);
    return this.result(this.asked() - asked, (user + system) / 1e6);
  }

  private async connect(caller: Caller): Promise<Line> {
    const onAnswer = (answer: LoadAnswer): void => this.answered(line, answer);
    const url = new URL(this.order.url);
    const onLost = (error: Error): void => {
      this.lost = error;
      this.onLost(error);
    };
    const connection = await LoadConnection.open(url, onAnswer, onLost);
    const line: Line = { caller, connection, dueAt: 0, sentAt: 0 };
    return line;
  }

  private callAgainAndAgain(lines: readonly Line[]): void {
    this.allDue = true;
    for (const line of lines) this.call(line, performance.now());
  }

  /** Calls fall due one after the other, however long the answers take. */
  private async callAtRate(lines: readonly Line[], perSecond: number): Promise<void> {
    this.idle = [...lines];
    const total = Math.floor(this.order.seconds * perSecond);
    for (let due = 0; due < total && this.lost === undefined;) {
      const passed = ((performance.now() - this.startedAt) * perSecond) / 1000;
      for (; due < total && due <= passed; due += 1) {
        this.waiting.push(this.startedAt + (due * 1000) / perSecond);
      }
      this.callWaiting();
      await delay(TICK_MS);
    }
    this.allDue = true;
    this.endWhenQuiet();
  }

  private callWaiting(): void {
    while (this.waiting.length > 0 && this.idle.length > 0) {
      const line = this.idle.shift();
      const dueAt = this.waiting.shift();
      if (line !== undefined && dueAt !== undefined) this.call(line, dueAt);
    }
  }

  private call(line: Line, dueAt: number): void {
    line.dueAt = dueAt;
    line.sentAt = performance.now();
    this.inFlight += 1;
    line.connection.send(line.caller.nextRequest());
  }

  private answered(line: Line, { status, isBase }: LoadAnswer): void {
    const now = performance.now();
    if (line.sentAt < this.steadyFrom) this.firstSecond.push(now - line.sentAt);
    else {
      this.latencies.push(now - line.sentAt);
      this.sinceDue.push(now - line.dueAt);
    }
    this.inFlight -= 1;
    if (status !== OK) this.faults += 1;
    if (isBase) this.bases += 1;
    if (now <= this.endsAt) this.inTime += 1;
    this.next(line, now);
  }

  private next(line: Line, now: number): void {
    const isClosedLoop = this.order.callsPerSecond === undefined;
    const dueAt = isClosedLoop && now < this.endsAt ? now : this.waiting.shift();
    if (dueAt !== undefined) return this.call(line, dueAt);
    this.idle.push(line);
    this.endWhenQuiet();
  }

  private endWhenQuiet(): void {
    if (this.allDue && this.inFlight === 0) this.onQuiet();
  }

  private asked(): number {
    return this.callers.reduce((sum, { mix }) => sum + mix.asked, 0);
  }

  private result(fresh: number, loadCpu: number): LoadResult {
    const { firstSecond, latencies, sinceDue, connectMs, faults, bases, inTime } = this;
    return {
      perSecond: inTime / this.order.seconds,
      answers: firstSecond.length + latencies.length,
      faults,
      fresh,
      bases,
      connectMs,
      firstSecond: latenciesOf(firstSecond),
      latencies: latenciesOf(latencies),
      sinceDue: latenciesOf(sinceDue),
      loadCpu,
    };
  }
}
