import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { ReceiptVerificationError, ReceiptVerifier, type Receipt } from '#client/receipts.js';
import { callerPath } from './admin/caller-path.js';
import { inclusionRule, readInvoice, readProof } from './check-inclusion.js';
import { checked, readJsonFile, unreadable } from './exported-records.js';
import { printResult } from './print-result.js';
import { ruleReport, type Rule } from './rule-report.js';

export interface ReceiptFiles {
  readonly receipts: string;
  /** The JWK set of the service. */
  readonly keys: string;
  /** The proof of one of the calls, and the invoice that it is of. */
  readonly inclusion?: { readonly proof: string; readonly document: string } | undefined;
}

/** Of what is wrong so much is kept. */
const DIFFERENCES_MAX = 1_000;

const jwkSet = z.object({
  keys: z.array(
    z.object({ kid: z.string(), kty: z.string(), crv: z.string().optional(), x: z.string() }),
  ),
});

/** Lines that are not empty, as a file has them. Throws StartupError. */
async function* linesOf(name: string): AsyncGenerator<string> {
  const input = createReadStream(callerPath(name));
  try {
    for await (const line of createInterface({ input, crlfDelay: Infinity })) {
      if (line.trim() !== '') yield line.trim();
    }
  } catch (error) {
    throw unreadable(name, error);
  }
}

/**
 * `popindex verify --receipts`: verifies receipts, one a line, with the keys of the service and
 * without a database. Throws StartupError for files that are something else.
 */
export async function verifyReceipts(files: ReceiptFiles, json: boolean): Promise<number> {
  const keys = checked(jwkSet, await readJsonFile(files.keys), files.keys);
  const verifier = new ReceiptVerifier(keys);
  const { inclusion } = files;
  const proof = inclusion && (await readProof(inclusion.proof));
  const invoice = inclusion && (await readInvoice(inclusion.document));
  const wrong: string[] = [];
  let proven: Receipt | undefined;
  let credits = 0;
  const each = (place: number, outcome: Receipt | ReceiptVerificationError): void => {
    if (!(outcome instanceof ReceiptVerificationError)) {
      credits += outcome.credits_used;
      if (outcome.call_id === proof?.call_id) proven = outcome;
    } else if (wrong.length < DIFFERENCES_MAX) {
      wrong.push(`Receipt ${place + 1}: ${outcome.message}`);
    }
  };
  const { verified, failed } = await verifier.verifyAll(linesOf(files.receipts), each);
  const rules: Rule[] = [
    { rule: 'each receipt is signed with a key of the service', differences: wrong },
  ];
  if (proof && invoice) rules.push(inclusionRule(proven, proof, invoice));
  const isIncluded = rules.slice(1).every(({ differences }) => differences.length === 0);
  const intact = failed === 0 && verified > 0 && isIncluded;
  const what = `${verified} receipts for ${credits} credits`;
  const some = failed === 0 ? `${what} hold.` : `${what} hold, ${failed} do NOT.`;
  const verdict = verified + failed === 0 ? 'The file holds no receipt.' : some;
  printResult(json, { intact, verified, failed, credits, rules }, ruleReport(rules, verdict));
  return intact ? 0 : 1;
}
