import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Shutdown } from '#web/shutdown.js';

/** The compiled project: its folder `dist`. */
export const DIST = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
/** The checkout that this program was built from. */
export const CHECKOUT = path.dirname(DIST);

/** npm's variables of this run must not steer another checkout's. */
const FOREIGN = /^(npm_(lifecycle|package)|INIT_CWD$|DATABASE_URL$|DATA_DIR$)/;

const SERVICE_FLAGS = ['--max-semi-space-size=16'];

export type Settings = Readonly<Record<string, string>>;

function environment(settings: Settings): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(([name]) => !FOREIGN.test(name));
  return { ...Object.fromEntries(kept), LOG_LEVEL: 'warn', ...settings };
}

/** A program as a process of its own, with all that it prints. */
export class Child {
  #printed = '';
  #result = '';
  readonly #seen = new Set<() => void>();
  readonly #ended: Promise<number | null>;

  private constructor(
    private readonly name: string,
    private readonly child: ChildProcess,
  ) {
    const hear = (chunk: Buffer): void => {
      this.#printed += chunk.toString();
      for (const look of this.#seen) look();
    };
    child.stdout?.on('data', (chunk: Buffer) => (this.#result += chunk.toString()));
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    this.#ended = once(child, 'close').then(([code]) => code as number | null);
    child.on('close', () => this.#seen.forEach((look) => look()));
  }

  /** Starts it in a group of its own; the shutdown ends it where nobody did before. */
  static start(
    shutdown: Shutdown,
    command: string,
    args: readonly string[],
    settings: Settings,
    cwd = CHECKOUT,
  ): Child {
    const name = [path.basename(command), ...args].join(' ');
    const env = environment(settings);
    const stdio: SpawnOptions['stdio'] = ['ignore', 'pipe', 'pipe'];
    const child = new Child(name, spawn(command, args, { cwd, env, detached: true, stdio }));
    shutdown.stop(name, () => child.stop());
    return child;
  }

  /** A program of the build, for example `apps/standalone/src/main.js`. */
  static startBuilt(
    shutdown: Shutdown,
    program: string,
    settings: Settings,
    args: readonly string[] = [],
  ): Child {
    return Child.start(shutdown, process.execPath, [path.join(DIST, program), ...args], settings);
  }

  /** One that serves, with the memory settings that the scripts of the project give to it. */
  static startService(
    shutdown: Shutdown,
    program: string,
    settings: Settings,
    checkout = CHECKOUT,
  ): Child {
    const args = [...SERVICE_FLAGS, path.join(checkout, 'dist', program)];
    return Child.start(shutdown, process.execPath, args, settings, checkout);
  }

  get pid(): number {
    if (this.child.pid === undefined) throw new Error(`${this.name} did not start.`);
    return this.child.pid;
  }

  /** All that it printed. */
  get output(): string {
    return this.#printed;
  }

  /** The part of it on standard output: what a command answers, without its progress. */
  get result(): string {
    return this.#result;
  }

  /** The first group of a pattern once it was printed. Throws when the process ends before. */
  printed(pattern: RegExp): Promise<string> {
    return new Promise((resolve, reject) => {
      const look = (): void => {
        const found = pattern.exec(this.#printed);
        if (found === null && !this.hasEnded) return;
        this.#seen.delete(look);
        if (found !== null) resolve(found[1] ?? '');
        else reject(new Error(`${this.name} ended:\n${this.#printed}`));
      };
      this.#seen.add(look);
      look();
    });
  }

  /** Resolves to the exit code; null when a signal ended it. */
  end(): Promise<number | null> {
    return this.#ended;
  }

  async stop(): Promise<void> {
    // To the whole group: npm and its shell stand between.
    if (!this.hasEnded) process.kill(-this.pid, 'SIGTERM');
    await this.#ended;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }
}
