import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { findKeys } from './receipt-keys.js';
import { callerPath } from './admin/caller-path.js';
import { unreadable } from './exported-records.js';
import { printResult } from './print-result.js';
import { ruleReport } from './rule-report.js';
import { verifyPart, WRONG_MAX, type Part, type PartReport } from './verify-receipts-part.js';

export interface ReceiptFiles {
  readonly receipts: string;
  /** The JWK set of the service; unless given, `findKeys` looks for it. */
  readonly keys?: string | undefined;
}

/** Threads that verify parts of a file side by side. */
export interface VerifyThreads {
  readonly count: number;
  /** A part is at least so long. */
  readonly bytesMin: number;
  /** The program of a thread, the built one by default. */
  readonly program?: URL;
}

const PROGRAM = new URL('./verify-receipts-thread.js', import.meta.url);

/**
 * `popindex verify --receipts`: verifies receipts, one a line, with the keys of the service and
 * without a database. Throws StartupError for files that are something else.
 */
export async function verifyReceipts(
  files: ReceiptFiles,
  json: boolean,
  threads: VerifyThreads = { count: availableParallelism(), bytesMin: 1_000_000 },
): Promise<number> {
  const { keys, from } = await findKeys(files);
  const of = { file: callerPath(files.receipts), keys };
  const reports = await verifyParts(of, threads).catch((error: unknown) => {
    throw unreadable(files.receipts, error);
  });
  const { verified, failed, credits, wrong } = reports.reduce(joined);
  const differences = wrong.map(({ place, message }) => `Receipt ${place + 1}: ${message}`);
  const rules = [{ rule: 'each receipt is signed with a key of the service', differences }];
  const intact = failed === 0 && verified > 0;
  const what = `${verified} receipts for ${credits} credits`;
  const some = failed === 0 ? `${what} hold.` : `${what} hold, ${failed} do NOT.`;
  const verdict = verified + failed === 0 ? 'The file holds no receipt.' : `${some} Keys: ${from}`;
  printResult(
    json,
    { intact, verified, failed, credits, keys: from, rules },
    ruleReport(rules, verdict),
  );
  return intact ? 0 : 1;
}

/** A short file, and what is no file of a known length, is one part. */
async function verifyParts(
  of: Omit<Part, 'from' | 'to'>,
  { count, bytesMin, program = PROGRAM }: VerifyThreads,
): Promise<readonly PartReport[]> {
  const { size } = await stat(of.file);
  const parts = Math.min(count, Math.floor(size / bytesMin));
  if (parts < 2) return [await verifyPart({ ...of, from: 0, to: null })];
  const ends = Array.from({ length: parts }, (_, n) => Math.round((size * (n + 1)) / parts));
  return Promise.all(
    ends.map((to, n) => verifyInThread({ ...of, from: ends[n - 1] ?? 0, to }, program)),
  );
}

function verifyInThread(part: Part, program: URL): Promise<PartReport> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(program, { workerData: part });
    thread.on('message', resolve);
    thread.on('error', reject);
    thread.on('exit', (code) => reject(new Error(`A thread ended with ${code}.`)));
  });
}

/** Reports of two parts that follow each other. */
function joined(one: PartReport, next: PartReport): PartReport {
  const before = one.verified + one.failed;
  const later = next.wrong.map(({ place, message }) => ({ place: before + place, message }));
  return {
    verified: one.verified + next.verified,
    failed: one.failed + next.failed,
    credits: one.credits + next.credits,
    wrong: [...one.wrong, ...later].slice(0, WRONG_MAX),
  };
}
