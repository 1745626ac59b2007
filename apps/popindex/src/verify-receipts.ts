import { stat } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Thread } from '#workers/thread.js';
import { findKeys } from './receipt-keys.js';
import { callerPath } from './admin/caller-path.js';
import { unreadable } from './exported-records.js';
import { printResult } from './print-result.js';
import { CallSums } from './receipt-calls.js';
import { ruleReport } from './rule-report.js';
import { verifyPart, WRONG_MAX, type Part, type PartReport } from './verify-receipts-part.js';

export interface ReceiptFiles {
  /** Names of files. */
  readonly receipts: readonly string[];
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

/** The outcome for all files. */
interface Outcome {
  verified: number;
  failed: number;
  readonly sums: CallSums;
  readonly differences: string[];
}

/**
 * `popindex verify --receipts`: verifies receipts, one a line, with the keys of the service and
 * without a database. A call is counted once, however many of the receipts are its. Throws
 * StartupError for files that are something else.
 */
export async function verifyReceipts(
  files: ReceiptFiles,
  json: boolean,
  threads: VerifyThreads = { count: availableParallelism(), bytesMin: 1_000_000 },
): Promise<number> {
  const { keys, from } = await findKeys(files);
  const outcome: Outcome = { verified: 0, failed: 0, sums: new CallSums(), differences: [] };
  for (const name of files.receipts) {
    const of = { file: callerPath(name), keys };
    const reports = await verifyParts(of, threads).catch((error: unknown) => {
      throw unreadable(name, error);
    });
    addFile(outcome, reports, files.receipts.length > 1 ? `${name}: ` : '');
  }
  const { verified, failed, sums, differences } = outcome;
  const { calls, credits } = sums;
  const rules = [{ rule: 'each receipt is signed with a key of the service', differences }];
  const intact = failed === 0 && verified > 0;
  const ofCalls = calls === verified ? '' : ` of ${calls} calls`;
  const what = `${verified} receipts${ofCalls} for ${credits} credits`;
  const some = failed === 0 ? `${what} hold.` : `${what} hold, ${failed} do NOT.`;
  const none = files.receipts.length > 1 ? 'The files hold' : 'The file holds';
  const verdict = verified + failed === 0 ? `${none} no receipt.` : `${some} Keys: ${from}`;
  printResult(
    json,
    { intact, verified, failed, calls, credits, keys: from, rules },
    ruleReport(rules, verdict),
  );
  return intact ? 0 : 1;
}

/** Adds the reports of a file, part after part. `prefix`: of what is wrong in it. */
function addFile(outcome: Outcome, reports: readonly PartReport[], prefix: string): void {
  let before = 0;
  for (const { verified, failed, calls, wrong } of reports) {
    const differing = outcome.sums.add(calls);
    outcome.verified += verified - differing.length;
    outcome.failed += failed + differing.length;
    const found = [
      ...wrong,
      ...differing.map((place) => ({ place, message: 'Another receipt of its call differs.' })),
    ].toSorted((a, b) => a.place - b.place);
    const room = WRONG_MAX - outcome.differences.length;
    for (const { place, message } of found.slice(0, room)) {
      outcome.differences.push(`${prefix}Receipt ${before + place + 1}: ${message}`);
    }
    before += verified + failed;
  }
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
    new Thread({ program, data: part, answers: { report: resolve } }).onEnded(reject);
  });
}
