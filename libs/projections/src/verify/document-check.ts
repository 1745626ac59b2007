import type pg from 'pg';
import { SYSTEM_LANE, type StoredEvent } from '#event-log/event-log.js';
import {
  CREDIT_NOTE_NUMBERED,
  DOCUMENT_FORMATS,
  INVOICE_NUMBERED,
  MEDIA_TYPES,
  numberText,
} from '../events/number-events.js';
import type { CreditNoteNumbered, InvoiceNumbered } from '../events/number-events.js';
import { PERIOD_CLOSED, PERIOD_FILES, type PeriodClosed } from '../events/period-events.js';
import { DOCUMENTS_REDACTED, type DocumentsRedacted } from '../events/redaction-events.js';
import { findDocuments } from '../invoices/documents.js';
import { LIST_MEDIA, partsIn } from '../invoices/kept-files.js';
import { checkExchanges } from './exchange-check.js';
import { redactedRows } from './redacted-rows.js';
import type { LaneFindings } from './findings.js';

interface NamedDocument {
  readonly position: number;
  readonly sha256: string;
  /** Null: any. */
  readonly mediaType: string | null;
}

/** Which rows lost their parties, as the log vouches for it. */
interface Redaction {
  readonly position: number;
  readonly id: string;
  readonly vouched: { readonly rows: number; readonly sha256: string };
}

const SEALING: ReadonlySet<string> = new Set(['InvoiceSealed', 'CreditNoteSealed']);
const NUMBERING: ReadonlySet<string> = new Set([INVOICE_NUMBERED, CREDIT_NOTE_NUMBERED]);
const HASHES_PER_QUERY = 200;

/** Hashes of documents as JSON: as they were sealed, in the system's lane with a number. */
function sealed(named: readonly NamedDocument[]): string[] {
  const json = named.filter(({ mediaType }) => mediaType === MEDIA_TYPES.json);
  return json.map(({ sha256 }) => sha256);
}

/** The documents that a lane's events name, and the numbers that the system's lane gives. */
export class DocumentCheck {
  private readonly named: NamedDocument[] = [];
  /** Lists of the parts of kept files. */
  private readonly lists: NamedDocument[] = [];
  private readonly last = new Map<string, number>();
  private readonly redactions: Redaction[] = [];

  constructor(private readonly findings: LaneFindings) {}

  add({ type, position, callId, data }: StoredEvent): void {
    if (type === DOCUMENTS_REDACTED && callId !== null) {
      const { rows, sha256 } = JSON.parse(data) as DocumentsRedacted;
      this.redactions.push({ position, id: callId, vouched: { rows, sha256 } });
    }
    if (SEALING.has(type)) {
      const { sha256 } = JSON.parse(data) as { readonly sha256: string };
      this.named.push({ position, sha256, mediaType: MEDIA_TYPES.json });
    }
    if (type === PERIOD_CLOSED) {
      const { periods } = JSON.parse(data) as PeriodClosed;
      for (const { files } of periods) {
        const { sha256, parts } = files.journal;
        if (parts === undefined) this.named.push({ position, sha256, mediaType: 'text/csv' });
        const lists = PERIOD_FILES.flatMap((format) => files[format].parts ?? []);
        this.lists.push(
          ...lists.map((list) => ({ position, sha256: list, mediaType: LIST_MEDIA })),
        );
      }
    }
    if (NUMBERING.has(type)) {
      this.number(position, JSON.parse(data) as InvoiceNumbered | CreditNoteNumbered);
    }
  }

  async end(client: pg.ClientBase): Promise<void> {
    this.named.push(...this.lists);
    for (const { position, sha256: list } of this.lists) {
      const body = (await findDocuments(client, [list])).get(list);
      const parts = body === undefined ? [] : partsIn(body);
      for (const sha256 of parts) this.named.push({ position, sha256, mediaType: null });
    }
    for (let at = 0; at < this.named.length; at += HASHES_PER_QUERY) {
      await this.look(client, this.named.slice(at, at + HASHES_PER_QUERY));
    }
    for (const { position, id, vouched } of this.redactions) {
      const found = await redactedRows(client, id);
      if (found.sha256 === vouched.sha256) continue;
      this.findings.event('documents', position, vouched, found);
    }
  }

  private number(
    position: number,
    { series, ordinal, number, documents }: InvoiceNumbered | CreditNoteNumbered,
  ): void {
    const expected = (this.last.get(series) ?? 0) + 1;
    const text = numberText(series, expected);
    if (ordinal !== expected || number !== text) {
      this.findings.event(
        'numbers',
        position,
        { ordinal: expected, number: text },
        { ordinal, number },
      );
    }
    this.last.set(series, ordinal);
    for (const format of DOCUMENT_FORMATS) {
      const sha256 = documents[format];
      if (!sha256) continue;
      this.named.push({ position, sha256, mediaType: MEDIA_TYPES[format] });
    }
  }

  /** The database hashes: the bytes of all that was ever issued need not come here. */
  private async look(client: pg.ClientBase, named: readonly NamedDocument[]): Promise<void> {
    const { rows } = await client.query<NamedRow>({
      name: 'verify-documents',
      text: `select encode(d.sha256, 'hex') as sha256, d.media_type,
                    case when sha256(d.body) <> d.sha256 then d.redaction end as redaction
               from document d
              where d.sha256 = any ($1::bytea[])
                and (sha256(d.body) = d.sha256
                     or d.left_over is null and sha256(d.body) = d.redacted_sha256
                    and d.redaction is not null)`,
      values: [named.map(({ sha256 }) => Buffer.from(sha256, 'hex'))],
    });
    await checkExchanges(client, sealed(named), this.findings);
    // Without its parties a document is sound if the log says that they were removed.
    const removals = await findRemovals(client, rows);
    const isSound = ({ redaction }: NamedRow) => redaction === null || removals.has(redaction);
    const sound = new Map(rows.filter(isSound).map((row) => [row.sha256, row.media_type]));
    for (const { position, sha256, mediaType } of named) {
      const found = sound.get(sha256);
      if (found === mediaType || (found !== undefined && mediaType === null)) continue;
      const key = `sha256 ${sha256}, named in lane ${this.findings.lane} at position ${position}`;
      const expected = found === undefined ? 'a row with these bytes' : { media_type: mediaType };
      const row = found === undefined ? null : { media_type: found };
      this.findings.add('documents', { table: 'document', key, expected, found: row });
    }
  }
}

/** A document as it was issued; or without its parties, by which removal. */
interface NamedRow {
  readonly sha256: string;
  readonly media_type: string;
  readonly redaction: string | null;
}

/** Removals of these documents that the log has recorded. */
async function findRemovals(
  client: pg.ClientBase,
  documents: readonly NamedRow[],
): Promise<ReadonlySet<string>> {
  const ids = new Set(documents.flatMap(({ redaction }) => redaction ?? []));
  if (ids.size === 0) return new Set();
  const { rows } = await client.query<{ id: string }>({
    name: 'verify-redactions',
    text: `select call_id as id from event
            where lane = ${SYSTEM_LANE} and call_id = any ($1::uuid[])
              and type = '${DOCUMENTS_REDACTED}'`,
    values: [[...ids]],
  });
  return new Set(rows.map(({ id }) => id));
}
