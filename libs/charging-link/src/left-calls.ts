import { readdir, readFile, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { REPLAY_MS } from '#account/replay.js';
import { hasEnded } from './journal-owner.js';
import type { UnsettledCall } from './messages.js';
import { UNANSWERED_FOLDER } from './unanswered-calls.js';
import { openCalls } from './unanswered-lines.js';

export interface LeftCallsParts {
  /** DATA_DIR of the process. */
  readonly dataDir: string;
  /** Begins to settle a call; resolves to true once it will be, even if this process dies. */
  readonly settle: (call: UnsettledCall) => Promise<boolean>;
  /** Ms since 1970. */
  readonly now: () => number;
  readonly onFault: (error: unknown) => void;
  /** As `hasEnded`, for tests. */
  readonly ended?: (name: string) => boolean | undefined;
}

const POLL_MS = 5_000;
/**
 * Looks at files that did not change after which their process counts as ended, where it cannot be
 * seen: a minute, twelve times as long as it takes to show that it lives. Looks are counted instead
 * of time: who stood still as well has not looked.
 */
const UNCHANGED_LOOKS_MAX = 12;
/** Longer than an accounting process decides what an API process asked for before it was killed. */
const DECIDED_MS = 10_000;

/** Files of one process. */
interface LeftFiles {
  readonly name: string;
  readonly files: readonly string[];
}

interface SeenFile {
  readonly changedAt: number;
  readonly looks: number;
}

/**
 * Settles what processes that were killed have left in the folder: calls that were recorded and not
 * struck out. Peers may do so at once: each call is given back once, by its id.
 */
export class LeftCalls {
  /** Calls taken over, since the start. */
  taken = 0;
  private readonly folder: string;
  private seen = new Map<string, SeenFile>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly parts: LeftCallsParts) {
    this.folder = path.join(parts.dataDir, UNANSWERED_FOLDER);
  }

  /** Looks at once, and then now and again. Never rejects. */
  start(): Promise<void> {
    this.timer = setInterval(() => void this.look(), POLL_MS);
    this.timer.unref();
    return this.look();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Takes over from every process that has ended. */
  async look(): Promise<void> {
    try {
      const seen = new Map<string, SeenFile>();
      for (const left of await this.left()) {
        if (await this.isEnded(left, seen)) await this.takeOver(left);
      }
      this.seen = seen;
    } catch (error) {
      this.parts.onFault(error);
    }
  }

  private async left(): Promise<readonly LeftFiles[]> {
    const byName = new Map<string, string[]>();
    for (const file of await namesIn(this.folder)) {
      const name = file.slice(0, file.lastIndexOf('.'));
      byName.set(name, [...(byName.get(name) ?? []), path.join(this.folder, file)]);
    }
    return [...byName].map(([name, files]) => ({ name, files }));
  }

  private async isEnded({ name, files }: LeftFiles, seen: Map<string, SeenFile>): Promise<boolean> {
    const ended = (this.parts.ended ?? hasEnded)(name);
    if (ended !== undefined) return ended;
    const changes = await Promise.all(files.map(changedAt));
    const latest = Math.max(...changes);
    const before = this.seen.get(name);
    const looks = before?.changedAt === latest ? before.looks + 1 : 0;
    seen.set(name, { changedAt: latest, looks });
    return looks >= UNCHANGED_LOOKS_MAX;
  }

  private async takeOver({ files }: LeftFiles): Promise<void> {
    const texts = await Promise.all(files.map(textOf));
    const calls = openCalls(texts);
    const kept = await Promise.all(calls.map((call) => this.settle(call)));
    if (!kept.every(Boolean)) return;
    this.taken += calls.length;
    await Promise.all(files.map((file) => rm(file, { force: true })));
  }

  /** Under an idempotency key the next retry may still be given the answer. */
  private settle(call: UnsettledCall): Promise<boolean> {
    const replayedMs = call.requestId === undefined ? 0 : REPLAY_MS;
    const notBefore = this.parts.now() + DECIDED_MS + replayedMs;
    return this.parts.settle({ ...call, notBefore });
  }
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return unlessGone(readdir(folder), []);
}

/** Empty if a peer has taken it over meanwhile. */
function textOf(file: string): Promise<string> {
  return unlessGone(readFile(file, 'latin1'), '');
}

async function changedAt(file: string): Promise<number> {
  return (await unlessGone(stat(file), undefined))?.mtimeMs ?? 0;
}

async function unlessGone<Found, Gone>(read: Promise<Found>, gone: Gone): Promise<Found | Gone> {
  try {
    return await read;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return gone;
    throw error;
  }
}
