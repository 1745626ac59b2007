import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { WITH_PARENT } from './program.js';
import { secretsIn } from './secrets-in.js';
import { waitFor } from './wait-for.js';

const ROOT = path.resolve(__dirname, '../..');
/** With the three months of the demo, on a machine that has much else to do. */
const READY_MS = 150_000;

export type App = 'standalone' | 'api' | 'accounting' | 'popindex';

/** A program of the build as a real process, with what it printed. */
export class ServiceProcess {
  private text = '';
  private exited: number | null | undefined;

  private constructor(
    readonly child: ChildProcess,
    private readonly readyUrl: string | null,
  ) {
    child.stdout?.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (this.text += chunk.toString()));
    child.on('exit', (code) => (this.exited = code));
  }

  /**
   * Starts it; `env` is all that it sees of settings. `readyUrl`: where its `/readyz` answers.
   * `nodeArgs`: for Node.js itself.
   */
  static spawn(
    app: App,
    env: Readonly<Record<string, string>>,
    readyUrl: string | null = null,
    args: readonly string[] = [],
    nodeArgs: readonly string[] = [],
  ): ServiceProcess {
    const main = path.join(ROOT, 'dist', 'apps', app, 'src', 'main.js');
    const { PATH = '', HOME = '', DECIDERS = '0' } = process.env;
    const child = spawn(process.execPath, [...nodeArgs, main, ...args], {
      cwd: ROOT,
      env: { PATH, HOME, LOG_LEVEL: 'warn', API_WORKERS: '0', DECIDERS, ...WITH_PARENT, ...env },
    });
    return new ServiceProcess(child, readyUrl);
  }

  get output(): string {
    return this.text;
  }

  /** Resolves when `/readyz` says so; fails with what was printed when the process ended. */
  ready(): Promise<this> {
    return this.until('the service is ready', () => this.isReady());
  }

  /** Resolves when it has printed this text; fails like `ready`. */
  printed(text: string): Promise<this> {
    return this.until(`the service prints ${text}`, async () => this.output.includes(text));
  }

  private async until(what: string, holds: () => Promise<boolean>): Promise<this> {
    const checked = (): Promise<boolean> => {
      if (this.exited !== undefined) throw new Error(`It ended: ${this.output}`);
      return holds();
    };
    await waitFor(what, checked, READY_MS);
    return this;
  }

  async isReady(): Promise<boolean> {
    try {
      return (await fetch(`${this.readyUrl}/readyz`)).status === 200;
    } catch {
      return false;
    }
  }

  /** Resolves to the exit code; null when a signal ended it. Fails when it printed a secret. */
  async end(): Promise<number | null> {
    if (this.exited === undefined) await once(this.child, 'exit');
    const secrets = secretsIn(this.text);
    if (secrets.length > 0) throw new Error(`It printed secrets: ${secrets.join(', ')}`);
    return this.exited ?? null;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.child.kill(signal);
    return this.end();
  }
}
