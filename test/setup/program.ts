import { spawn, type ChildProcess } from 'node:child_process';
import path from 'node:path';
import { secretsIn } from './secrets-in.js';
import { waitFor } from './wait-for.js';

export type Environment = Readonly<Record<string, string>>;

const ROOT = path.resolve(__dirname, '../..');
const READY_MS = 90_000;

/** It ends with the worker that started it, as with npm. */
export const WITH_PARENT = { npm_lifecycle_event: 'test' };

/** A program of the checkout as a real process, with what it printed on each stream. */
export class Program {
  stdout = '';
  stderr = '';
  /**
   * The exit code, once all that was printed has arrived; null when a signal ended it. Rejects when
   * there is a secret among what it wrote on standard error, where logs are.
   */
  readonly ended: Promise<number | null>;
  private static built: Promise<void> | undefined;
  private running = true;

  private constructor(readonly child: ChildProcess) {
    child.stdout?.on('data', (chunk: Buffer) => (this.stdout += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()));
    this.ended = new Promise((resolve, reject) => {
      child.once('close', (code) => {
        this.running = false;
        const logged = secretsIn(this.stderr);
        if (logged.length === 0) resolve(code);
        else reject(new Error(`It logged secrets: ${logged.join(', ')}`));
      });
    });
  }

  /** `node FILE ARGUMENTS…` in the checkout, in a process group of its own, as a terminal does. */
  static node(file: string, args: readonly string[], env: Environment): Program {
    const { PATH = '', HOME = '', DECIDERS = '0' } = process.env;
    const child = spawn(process.execPath, [path.join(ROOT, file), ...args], {
      cwd: ROOT,
      detached: true,
      env: { PATH, HOME, LOG_LEVEL: 'warn', API_WORKERS: '0', DECIDERS, ...WITH_PARENT, ...env },
    });
    return new Program(child);
  }

  /** Runs the program of `npm start`. */
  static start(env: Environment): Program {
    return Program.node('bin/start.mjs', [], env);
  }

  /** Runs the program of `npm run popindex --`, from the build. */
  static popindex(args: readonly string[], env: Environment): Program {
    return Program.node('dist/apps/popindex/src/main.js', args, env);
  }

  /**
   * Builds what is stale, so that no program under test does that and speaks of it: once for all
   * specs of a worker.
   */
  static build(): Promise<void> {
    return (Program.built ??= Program.buildStale());
  }

  private static async buildStale(): Promise<void> {
    const program = Program.node('bin/start.mjs', ['popindex', '--help'], {});
    if ((await program.ended) !== 0) throw new Error(program.stderr);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** Resolves when it printed that it is ready; fails with its output when it ended instead. */
  async ready(): Promise<this> {
    await waitFor(
      'the program says that it is ready',
      () => {
        if (!this.running) throw new Error(`It ended: ${this.stdout}${this.stderr}`);
        return this.stdout.includes('Ready.');
      },
      READY_MS,
    );
    return this;
  }

  /** Signals the process alone, as a supervisor does; resolves to the exit code. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    if (this.running) this.child.kill(signal);
    return this.ended;
  }

  /** Ctrl-C: the terminal signals the whole group. */
  interrupt(): Promise<number | null> {
    if (this.running) process.kill(-this.pid, 'SIGINT');
    return this.ended;
  }

  /** The terminal is closed: it takes no line any more, and the whole group is signalled. */
  hangUp(): Promise<number | null> {
    this.child.stdout?.destroy();
    this.child.stderr?.destroy();
    if (this.running) process.kill(-this.pid, 'SIGHUP');
    return this.ended;
  }
}
