import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const ROOT = path.resolve(__dirname, '../..');
/** No answer holds it. */
const END = '\u001eend\u001e';

/** A terminal in the project's folder: one bash, which keeps what its commands set. */
export class ShellSession {
  private readonly shell: ChildProcess;
  private out = '';
  private err = '';
  private ended: () => void = () => {};
  private isBusy = false;

  /** `env` is added to what every program sees of this machine. */
  constructor(env: Readonly<Record<string, string>>) {
    const { PATH = '', HOME = '' } = process.env;
    this.shell = spawn('bash', ['--noprofile', '--norc', '-euo', 'pipefail'], {
      cwd: ROOT,
      // A group of its own, so that what it left in the background can be ended with it.
      detached: true,
      env: { PATH, HOME, ...env },
    });
    this.shell.stdout?.on('data', (chunk: Buffer) => this.hear((this.out += chunk.toString())));
    this.shell.stderr?.on('data', (chunk: Buffer) => (this.err += chunk.toString()));
    this.shell.on('close', () => this.ended());
  }

  private hear(out: string): void {
    if (out.includes(END)) this.ended();
  }

  /** Types a script; resolves to what it printed. Fails when one of its commands did. */
  async run(script: string): Promise<string> {
    if (this.isBusy) throw new Error('An earlier command has not ended, or has ended the shell.');
    this.isBusy = true;
    this.out = '';
    this.err = '';
    const ended = new Promise<void>((resolve) => (this.ended = resolve));
    this.shell.stdin?.write(`${script}\nprintf '${END}'\n`);
    await ended;
    const [printed = '', ...rest] = this.out.split(END);
    if (rest.length === 0) throw new Error(`A command failed:\n${script}\n${printed}${this.err}`);
    this.isBusy = false;
    return printed;
  }

  /** Ends it, and whatever runs in its background. */
  async end(): Promise<void> {
    const { pid, exitCode } = this.shell;
    if (pid === undefined || exitCode !== null) return;
    const closed = once(this.shell, 'close');
    process.kill(-pid, 'SIGKILL');
    await closed;
  }
}
