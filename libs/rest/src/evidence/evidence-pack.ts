import { createHash } from 'node:crypto';
import type pg from 'pg';
import { DEFAULT_ACCOUNTS } from '#billing/journal.js';
import type { Calendar } from '#calendar/calendar.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { PERIODS } from '#ledger/events/period-events.js';
import { csvTable } from '#web/csv.js';
import { AUDIT_COLUMNS } from '../audit/audit-query.js';
import type { AuditReads } from '../audit/audit-reads.js';
import type { Exports } from '../exports/exports.js';
import type { ExportFormat } from '../exports/export.schemas.js';
import { liabilityCsv } from '../exports/liability-answer.js';
import type { ZipEntry } from '../exports/zip-pieces.js';
import { viewOf } from '../periods/periods.js';
import { CHECK_SCRIPT } from './check-script.js';
import { evidenceReadme } from './evidence-readme.js';
import {
  ACCOUNT_HEAD_COLUMNS,
  HEAD_COLUMNS,
  NUMBER_COLUMNS,
  readAccountHeads,
  readLaneHeads,
  readNumbers,
} from './evidence-rows.js';

export interface EvidenceParts {
  readonly pool: pg.Pool;
  readonly exports: Pick<Exports, 'invoices' | 'documents' | 'creditLiability'>;
  readonly system: Pick<SystemStream, 'read'>;
  readonly audit: Pick<AuditReads, 'list'>;
  readonly calendar: Calendar;
  /** Report of a verification of the whole log. */
  readonly verify: () => Promise<object>;
}

interface ListedFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * The files of a month for an auditor, with a script that checks them offline: what was booked,
 * owed, issued and changed, and what the log says of itself. Without test accounts.
 */
export async function* evidenceEntries(
  parts: EvidenceParts,
  month: string,
): AsyncGenerator<ZipEntry> {
  const date = `${month}-01`;
  const files: ListedFile[] = [];
  for await (const { name, body } of contents(parts, month)) {
    const sha256 = createHash('sha256').update(body).digest('hex');
    files.push({ path: name, sha256, bytes: body.length });
    yield { name, body, date };
  }
  const manifest = `${JSON.stringify({ month, files }, null, 2)}\n`;
  yield { name: 'manifest.json', body: Buffer.from(manifest), date };
}

type Content = Pick<ZipEntry, 'name' | 'body'>;

async function* contents(parts: EvidenceParts, month: string): AsyncGenerator<Content> {
  const { pool, exports, verify } = parts;
  const text = (name: string, body: string): Content => ({ name, body: Buffer.from(body) });
  yield text('README.md', evidenceReadme(month));
  yield text('check.mjs', CHECK_SCRIPT);
  // Heads first: what is read afterwards includes all that they vouch for.
  yield text('lane-heads.csv', csvTable(HEAD_COLUMNS, await readLaneHeads(pool)));
  yield text('account-heads.csv', csvTable(ACCOUNT_HEAD_COLUMNS, await readAccountHeads(pool)));
  yield text('verification.json', `${JSON.stringify(await verify(), null, 2)}\n`);
  const kept: string[] = [];
  for (const [format, name] of BOOKS) {
    const { content, isKept } = await exported(exports, month, format);
    if (isKept) kept.push(name);
    yield text(name, await whole(content));
  }
  yield text('period.json', `${JSON.stringify(await periodOf(parts, month, kept), null, 2)}\n`);
  yield text('numbers.csv', csvTable(NUMBER_COLUMNS, await readNumbers(pool)));
  const liability = await exports.creditLiability({ month, test: false });
  yield text('credit-liability.csv', await whole(liabilityCsv(liability.content)));
  yield text('changes.csv', await changes(parts, month));
  for await (const { name, body } of await exports.documents(month)) {
    if (name === 'SHA256SUMS') continue;
    yield { name: name === 'manifest.json' ? 'documents.json' : name, body };
  }
}

/** Exports of which a close states the hash, and their files. */
const BOOKS = [
  ['journal', 'journal.csv'],
  ['csv', 'invoices.csv'],
  ['jsonl', 'invoices.jsonl'],
] as const;

function exported(exports: EvidenceParts['exports'], month: string, format: ExportFormat) {
  const accounts = DEFAULT_ACCOUNTS;
  return exports.invoices({ by: 'issue', month, test: false, format, accounts });
}

/** Whether the month is closed, what the close states, and which files are as they were then. */
async function periodOf({ system }: EvidenceParts, month: string, kept: readonly string[]) {
  const period = (await system.read(PERIODS)).find((one) => one.month === month);
  if (period === undefined) return { month, status: 'open' };
  const { files, ...shown } = viewOf(period);
  const stated = Object.entries(files).map(([format, file]) => {
    const path = BOOKS.find(([one]) => one === format)?.[1] ?? null;
    return { export: format, path, ...file, kept: path !== null && kept.includes(path) };
  });
  return { ...shown, files: stated };
}

/** Changes that somebody asked for in the month, with author and reason. */
async function changes({ audit, calendar }: EvidenceParts, month: string): Promise<string> {
  const { startsAt: from, endsAt: to } = calendar.monthOf(month) ?? { startsAt: 0, endsAt: 0 };
  const list = await audit.list({ from, to, order: 'asc' }, null);
  const entries = [];
  for await (const batch of await list.whole()) entries.push(...batch);
  return csvTable(AUDIT_COLUMNS, entries);
}

async function whole(pieces: AsyncIterable<string | Uint8Array>): Promise<string> {
  const parts: string[] = [];
  for await (const piece of pieces) parts.push(Buffer.from(piece as Uint8Array).toString('utf8'));
  return parts.join('');
}
