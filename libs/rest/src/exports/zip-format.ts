import type pg from 'pg';
import { documentHash } from '#projections/invoices/documents.js';
import {
  documentFile,
  type CreditNoteNumbered,
  type InvoiceNumbered,
} from '#projections/events/number-events.js';
import {
  positionsText,
  type ExportedCreditNote,
  type ExportedInvoice,
  type ExportSource,
} from './export-source.js';
import { issuedBodies } from './issued-bodies.js';
import { zipPieces, type ZipEntry } from './zip-pieces.js';

const FORMATS = ['pdf', 'xml', 'cii', 'json'] as const;
const FOLDERS = { invoice: 'invoices', credit_note: 'credit-notes' } as const;

interface ListedFile {
  readonly path: string;
  readonly sha256: string;
  readonly bytes: number;
}

/**
 * The manifest's entry of a document; null: XML is not allowed by the standard, or none is left.
 */
interface ManifestEntry {
  readonly number: string;
  readonly type: 'invoice' | 'credit_note';
  readonly account_id: string;
  readonly month: string;
  readonly issue_date: string;
  readonly currency: string;
  readonly total: number;
  /** Without `cii` where the document is older than that: its month may have been closed. */
  readonly files: Readonly<Partial<Record<(typeof FORMATS)[number], ListedFile | null>>>;
}

const NOTHING = { body: Buffer.alloc(0), redacted: null };

type ExportedDocument = ExportedInvoice | ExportedCreditNote;

/**
 * A ZIP of the issued bytes of all documents, with `manifest.json` and `SHA256SUMS`, which
 * `sha256sum -c` takes. The list of what is in it is all that stays in memory.
 */
export function archivePieces(
  pool: pg.Pool,
  source: ExportSource,
  onEntry: OnEntry,
): AsyncIterable<Uint8Array> {
  return zipPieces(announced(documentEntries(pool, source), onEntry));
}

/** Called with each file before it comes into the archive. */
export type OnEntry = (entry: ZipEntry) => void;

async function* announced(
  entries: AsyncIterable<ZipEntry>,
  onEntry: OnEntry,
): AsyncGenerator<ZipEntry> {
  for await (const entry of entries) {
    onEntry(entry);
    yield entry;
  }
}

/** The files of such a ZIP. */
export async function* documentEntries(
  pool: pg.Pool,
  source: ExportSource,
): AsyncGenerator<ZipEntry> {
  const documents: ManifestEntry[] = [];
  for (const batches of [source.invoices(), source.creditNotes()]) {
    for await (const batch of batches) {
      for (const { entries, listed } of await filesOf(pool, batch)) {
        documents.push(listed);
        yield* entries;
      }
    }
  }
  const { by, month } = source.scope;
  const period = by === 'supply' ? { month } : { issued_month: month };
  const listed = { ...period, log_positions: positionsText(source.ends), documents };
  const manifest = Buffer.from(`${JSON.stringify(listed, null, 2)}\n`);
  const date = `${month}-01`;
  yield { name: 'manifest.json', body: manifest, date };
  yield { name: 'SHA256SUMS', body: Buffer.from(sumsOf(documents, manifest)), date };
}

async function filesOf(
  pool: pg.Pool,
  batch: readonly ExportedDocument[],
): Promise<{ readonly entries: ZipEntry[]; readonly listed: ManifestEntry }[]> {
  const hashes = batch.flatMap(({ numbered }) => hashesOf(numbered).map(([, hash]) => hash));
  const bodies = await issuedBodies(pool, hashes);
  let next = 0;
  return batch.map(({ numbered, document }) => {
    const files = hashesOf(numbered).flatMap(([format, hash]) => {
      const path = `${FOLDERS[document.type]}/${documentFile(document.number, format)}`;
      const { body, redacted } = bodies[next++] ?? NOTHING;
      // Nothing is left of it, because its legal term is over.
      if (body.length === 0) return [];
      return [{ format, body, file: { path, sha256: redacted ?? hash, bytes: body.length } }];
    });
    const fileOf = (format: string) => files.find((one) => one.format === format)?.file ?? null;
    const { number, type, account_id, month, issue_date, currency, total } = document;
    const listed = { number, type, account_id, month, issue_date, currency, total };
    return {
      entries: files.map(({ body, file }) => ({ name: file.path, body, date: issue_date })),
      listed: {
        ...listed,
        files: {
          pdf: fileOf('pdf'),
          xml: fileOf('xml'),
          ...(numbered.documents.cii === undefined ? {} : { cii: fileOf('cii') }),
          json: fileOf('json'),
        },
      },
    };
  });
}

function hashesOf({ documents }: InvoiceNumbered | CreditNoteNumbered) {
  return FORMATS.flatMap((format) => {
    const hash = documents[format];
    return hash ? [[format, hash] as const] : [];
  });
}

function sumsOf(documents: readonly ManifestEntry[], manifest: Buffer): string {
  const files = documents.flatMap((document) => Object.values(document.files));
  const lines = files.flatMap((file) => (file ? [`${file.sha256}  ${file.path}\n`] : []));
  return `${lines.join('')}${documentHash(manifest)}  manifest.json\n`;
}
