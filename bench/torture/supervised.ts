import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, fstatSync, openSync, readFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CHECKOUT, DIST } from '../child.js';
import type { Journal } from './journal.js';

const LINE_MAX = 240;
const RESTART_MS = 500;
const STOP_MS_MAX = 15_000;
/** Scheduling on a busy machine comes on top of what a process is allowed. */
const GRACE_MS = 1_500;
const SHIFTED_CLOCK = path.join(CHECKOUT, 'test', 'setup', 'shifted-clock.mjs');
const DYING_DECIDERS = path.join(CHECKOUT, 'test', 'setup', 'dying-deciders.mjs');
/** The line of a start whose database does not answer. */
const STARTUP_LINE = /^(DATABASE_URL|CHARGING_PORT|API_PORT|ACCOUNTING_PORT|PORTAL_PORT): /m;

export interface SupervisedPlan {
  readonly name: string;
  readonly app: 'api' | 'accounting';
  readonly env: Readonly<Record<string, string>>;
  /** Where it answers about itself. */
  readonly port: number;
  readonly logFile: string;
  /** Holds the milliseconds by which its clock is off. */
  readonly clockFile: string;
}

/** Ids of the processes that a process has started; none if it has ended. */
function childrenOf(pid: number): number[] {
  const file = `/proc/${pid}/task/${pid}/children`;
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8').split(' ').filter(Boolean).map(Number);
}

/** A process of the service that is started again whenever it ends, as a supervisor does. */
export class SupervisedProcess {
  private child: ChildProcess | null = null;
  private wanted = true;
  private signalled = false;
  private ending: Promise<void> | null = null;
  /** How long the log was at the last start, in bytes. */
  private logStart = 0;
  private readonly life: Promise<void>;
  /** How often it was started. */
  starts = 0;
  /** When it or one of its workers was killed, on the clock of `performance.now()`. */
  readonly killedAt: number[] = [];

  constructor(
    readonly plan: SupervisedPlan,
    private readonly journal: Journal,
  ) {
    this.life = this.keepAlive();
  }

  get name(): string {
    return this.plan.name;
  }

  /** `kill -9`; resolves when it has ended. */
  async kill(): Promise<void> {
    const { child } = this;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    this.signalled = true;
    const ended = once(child, 'exit');
    this.killedAt.push(performance.now());
    child.kill('SIGKILL');
    await ended;
  }

  /** `kill -9` of so many of its workers, as far as it has any. */
  killWorkers(count: number): void {
    const pid = this.child?.pid;
    const victims = pid === undefined ? [] : childrenOf(pid).slice(0, count);
    if (victims.length > 0) this.killedAt.push(performance.now());
    for (const victim of victims) process.kill(victim, 'SIGKILL');
  }

  /** Ends one of its deciders by an error, as far as it has any. */
  async endDecider(): Promise<void> {
    // Before it serves, nothing in it takes the signal.
    if (await this.accepts()) this.child?.kill('SIGUSR2');
  }

  pause(): void {
    this.child?.kill('SIGSTOP');
  }

  resume(): void {
    this.child?.kill('SIGCONT');
  }

  /**
   * SIGTERM: it has to end by itself, in time and in order; then it is started again. While it ends
   * nobody sends a second one, which would end it at once.
   */
  terminate(): Promise<void> {
    this.ending ??= this.endInOrder().finally(() => (this.ending = null));
    return this.ending;
  }

  private async endInOrder(): Promise<void> {
    const { child } = this;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    const startedAt = performance.now();
    this.signalled = true;
    const hadBegun = await this.accepts();
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const late = delay(STOP_MS_MAX + GRACE_MS, 'late' as const, { ref: false });
    if ((await Promise.race([ended, late])) === 'late') {
      this.journal.violation(
        'stops in time',
        `${this.name} did not end after SIGTERM.`,
        this.tail(),
      );
      child.kill('SIGKILL');
      await ended;
    }
    this.journal.measure('stop', performance.now() - startedAt);
    if (!hadBegun && child.signalCode === 'SIGTERM') {
      this.journal.count('starts ended before they had begun anything');
      return;
    }
    if (child.exitCode !== 0 && child.signalCode !== 'SIGKILL') {
      const how = child.signalCode ?? `code ${child.exitCode}`;
      this.journal.violation('stops in order', `${this.name} ended with ${how}.`, this.tail());
    }
  }

  /** Ends it for good. */
  async end(): Promise<void> {
    this.wanted = false;
    this.resume();
    await this.terminate();
    await this.life;
  }

  async accepts(): Promise<boolean> {
    const socket = net.connect(this.plan.port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return true;
    } catch {
      return false;
    } finally {
      socket.destroy();
    }
  }

  /** Null when it is ready, else what it says. */
  async unready(): Promise<string | null> {
    try {
      const url = `http://127.0.0.1:${this.plan.port}/readyz`;
      const answer = await fetch(url, { signal: AbortSignal.timeout(5_000) });
      const text = await answer.text();
      return answer.status === 200 ? null : text;
    } catch (error) {
      return String(error);
    }
  }

  /** The last lines it has printed, each cut short: stacks say little here. */
  tail(lines = 4): string {
    const all = readFileSync(this.plan.logFile, 'utf8').trimEnd().split('\n');
    return all
      .slice(-lines)
      .map((line) => line.slice(0, LINE_MAX))
      .join('\n');
  }

  /** The lines since the last start that are no log entries: what a process says of its own end. */
  private plainLines(): string {
    const since = readFileSync(this.plan.logFile).subarray(this.logStart).toString('utf8');
    return since
      .split('\n')
      .filter((line) => !line.startsWith('{'))
      .join('\n');
  }

  private async keepAlive(): Promise<void> {
    while (this.wanted) {
      const child = this.start();
      await once(child, 'exit');
      if (!this.signalled) this.judgeEnd(child);
      if (this.wanted) await delay(RESTART_MS);
    }
  }

  private start(): ChildProcess {
    const { app, env, logFile, clockFile } = this.plan;
    const main = path.join(DIST, 'apps', app, 'src', 'main.js');
    const { PATH = '', HOME = '' } = process.env;
    const log = openSync(logFile, 'a');
    this.logStart = fstatSync(log).size;
    const preloads = [SHIFTED_CLOCK, DYING_DECIDERS].flatMap((file) => ['--import', file]);
    const child = spawn(process.execPath, [...preloads, main], {
      cwd: CHECKOUT,
      env: { PATH, HOME, LOG_LEVEL: 'warn', CLOCK_SHIFT_FILE: clockFile, ...env },
      stdio: ['ignore', log, log],
    });
    closeSync(log);
    this.child = child;
    this.signalled = false;
    this.starts += 1;
    return child;
  }

  /** Only a start may give up by itself, and only over what it has to say in a line. */
  private judgeEnd({ exitCode, signalCode }: ChildProcess): void {
    const said = this.plainLines();
    if (exitCode === 1 && STARTUP_LINE.test(said)) {
      this.journal.count('starts that gave up on the database');
      return;
    }
    const how = signalCode ?? `code ${exitCode}`;
    this.journal.violation('lives', `${this.name} ended by itself with ${how}.`, said);
  }
}
