import {
  closeSync,
  fstatSync,
  ftruncateSync,
  futimesSync,
  mkdirSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { ownName } from './journal-owner.js';
import type { UnsettledCall } from './messages.js';
import { recordedLine, struckLine } from './unanswered-lines.js';

export const UNANSWERED_FOLDER = 'unanswered-calls';
/** How often a process shows the others that it lives. */
const HEARTBEAT_MS = 5_000;
const RETRY_MS = 1_000;
/** A file in which all calls are struck out is emptied from this size on. */
const EMPTIED_BYTES = 64 * 1024;
/** A file is replaced by one that holds the open calls only when it has grown to this size. */
const REPLACED_BYTES = 1024 * 1024;

/** A call that was recorded and is not struck out. */
export interface OpenCall {
  readonly n: number;
  readonly line: string;
  /** Where it stands among those that are open. */
  index: number;
}

/**
 * Calls that this process may be charged for and has not answered yet, in a file that outlives the
 * process (not a power cut: it is not synced). One write holds all of one turn of the event loop.
 * Whoever takes over from a killed process settles what is not struck out.
 *
 * A disk that takes nothing stops no call: they are served as if there were no such file, until it
 * takes something again.
 */
export class UnansweredCalls {
  /** Faults of the disk, since the start. */
  faults = 0;
  private readonly folder: string;
  private readonly name = ownName();
  /**
   * In no order. Not in a `Map`: one that is filled and emptied all the time leaves tables behind
   * each of which refers to the next, and once a collection of the young has kept one of them, it
   * keeps all that follow, with the lines in them.
   */
  private readonly open: OpenCall[] = [];
  private last = 0;
  private text = '';
  private written: Promise<void> | undefined;
  private file: { readonly fd: number; readonly path: string } | undefined;
  private serial = 0;
  private bytes = 0;
  private replacedBytes = REPLACED_BYTES;
  private retryAt = 0;
  private isFaulty = false;
  private readonly heartbeat: NodeJS.Timeout;

  /** `dataDir`: DATA_DIR of the process. `onFault` receives the first error of each outage. */
  constructor(
    dataDir: string,
    private readonly onFault: (error: unknown) => void,
  ) {
    this.folder = path.join(dataDir, UNANSWERED_FOLDER);
    this.attempt(() => this.replaceFile());
    this.heartbeat = setInterval(() => this.beat(), HEARTBEAT_MS);
    this.heartbeat.unref();
  }

  /** Calls under way. */
  get size(): number {
    return this.open.length;
  }

  /** False while the disk takes nothing. */
  get isKept(): boolean {
    return !this.isFaulty;
  }

  /** Numbers the call. Its charge may be requested once what `writing` answered has resolved. */
  record(call: UnsettledCall): OpenCall {
    this.last += 1;
    const line = recordedLine(this.last, call);
    const open = { n: this.last, line, index: this.open.length };
    this.open.push(open);
    this.text += line;
    return open;
  }

  /** Resolves when all that was recorded in this turn of the event loop is written. */
  writing(): Promise<void> {
    this.written ??= new Promise((resolve) => {
      setImmediate(() => {
        this.written = undefined;
        this.flush();
        resolve();
      });
    });
    return this.written;
  }

  /** The answer was handed to the socket, or nobody waits for it. */
  clear(call: OpenCall): void {
    const { index } = call;
    if (this.open[index] !== call) return;
    const last = this.open.pop();
    if (last !== undefined && last !== call) {
      this.open[index] = last;
      last.index = index;
    }
    this.text += struckLine(call.n);
    void this.writing();
  }

  /** Removes the file, unless a call is still under way: its successor settles that. */
  close(): void {
    clearInterval(this.heartbeat);
    this.flush();
    if (this.size === 0) this.removeFile();
  }

  private flush(): void {
    const { text } = this;
    this.text = '';
    if (this.isFaulty && performance.now() < this.retryAt) return;
    this.attempt(() => {
      if (this.file === undefined || this.bytes > this.replacedBytes) this.replaceFile();
      else this.append(this.file.fd, text);
      if (this.size === 0 && this.bytes > EMPTIED_BYTES) this.emptyFile();
    });
  }

  /** Shows a peer on another machine, which sees no process ids of this one, that it lives. */
  private beat(): void {
    const { file } = this;
    if (file === undefined) return;
    this.attempt(() => {
      const now = Date.now() / 1_000;
      futimesSync(file.fd, now, now);
      // A peer took this process for dead, because it stood still for long.
      if (fstatSync(file.fd).nlink === 0) this.replaceFile();
    });
  }

  private attempt(write: () => void): void {
    try {
      write();
      this.isFaulty = false;
    } catch (error) {
      this.faults += 1;
      if (!this.isFaulty) this.onFault(error);
      this.isFaulty = true;
      this.retryAt = performance.now() + RETRY_MS;
      // What it holds is not struck out any more: calls that were answered would be given back.
      this.removeFile();
    }
  }

  private append(fd: number, text: string): void {
    const bytes = writeSync(fd, text, null, 'latin1');
    if (bytes < text.length) throw new Error('The disk took a part of what was written.');
    this.bytes += bytes;
  }

  /** The new file stands before the old one goes: a kill in between leaves every call in one. */
  private replaceFile(): void {
    mkdirSync(this.folder, { recursive: true, mode: 0o700 });
    this.serial += 1;
    const next = path.join(this.folder, `${this.name}.${this.serial}`);
    const fd = openSync(next, 'ax', 0o600);
    const old = this.file;
    this.file = { fd, path: next };
    this.bytes = 0;
    try {
      this.append(fd, this.open.map(({ line }) => line).join(''));
    } finally {
      if (old !== undefined) discard(old);
    }
    this.replacedBytes = Math.max(REPLACED_BYTES, 2 * this.bytes);
  }

  private emptyFile(): void {
    if (this.file !== undefined) ftruncateSync(this.file.fd, 0);
    this.bytes = 0;
  }

  private removeFile(): void {
    const { file } = this;
    this.file = undefined;
    try {
      if (file !== undefined) discard(file);
    } catch (error) {
      this.onFault(error);
    }
  }
}

function discard(file: { readonly fd: number; readonly path: string }): void {
  closeSync(file.fd);
  rmSync(file.path, { force: true });
}
