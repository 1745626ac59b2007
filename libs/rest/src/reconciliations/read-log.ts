import type { FastifyRequest } from 'fastify';
import { CsvRecords } from '#popularity/csv-records.js';
import {
  readHeader,
  textsIn,
  textsOf,
  type Columns,
  type RowTexts,
} from '#reconciliation/log-columns.js';
import { LogRows } from '#reconciliation/log-rows.js';
import { RowReader } from '#reconciliation/read-row.js';
import { invalidBody } from '#web/body.js';
import { problem, ProblemException } from '#web/problem.js';
import { streamedBody } from '#web/server/streamed-body.js';
import { parseStrictJson } from '#web/strict-json.js';
import { FairQueue } from '#web/fair-queue.js';

/** Most rows of a log. */
export const ROWS_MAX = 1_000_000;
const FAULTS_MAX = 20;
const LINE_MAX = 64 * 1024;
/** A number with an exponent, or with more digits than are always held. */
const MAYBE_ROUNDED = /[:,[]\s*-?(?:[\d.]{16}|[\d.]+e)/i;

/** The media types of logs. */
const LOG_TYPES = ['text/csv', 'application/x-ndjson', 'application/jsonl'] as const;
type LogType = (typeof LOG_TYPES)[number];

/** A log as it is sent. */
export interface SentLog {
  readonly bytes: AsyncIterable<Buffer>;
  readonly type: LogType;
}

/** The body of a request as a log. Throws a ProblemException for another media type. */
export function sentLog(request: FastifyRequest): SentLog {
  const [named = ''] = (request.headers['content-type'] ?? '').split(';', 1);
  const type = LOG_TYPES.find((one) => one === named.trim().toLowerCase()) ?? 'text/csv';
  return { bytes: streamedBody(request), type };
}

export interface ReadLog {
  readonly rows: LogRows;
  /** Rows about no call that is charged. */
  readonly ignored: number;
}

/**
 * Reads a log piece by piece. Throws a ProblemException: `invalid-body` with the first 20 faults
 * and their lines, `too-large` beyond a million rows.
 */
export async function readLog({ bytes, type }: SentLog): Promise<ReadLog> {
  const log = new Log();
  const parser = type === 'text/csv' ? log.csv() : log.jsonLines();
  const turns = new FairQueue();
  for await (const piece of bytes) {
    parser.push(piece);
    log.refuseFaults(FAULTS_MAX);
    await turns.pass();
  }
  parser.end();
  log.refuseFaults(1);
  return log;
}

interface Parser {
  push(piece: Buffer): void;
  end(): void;
}

class Log implements ReadLog {
  readonly rows = new LogRows();
  ignored = 0;
  private columns: Columns | null = null;
  private readonly faults: { pointer: string; detail: string }[] = [];
  private readonly reader = new RowReader(this.rows);

  csv(): Parser {
    const fault = (line: number, detail: string) => this.fault(line, detail);
    const records = new CsvRecords({ record: (line, fields) => this.record(line, fields), fault });
    const end = (): void => {
      records.end();
      if (this.columns === null) this.record(1, []);
    };
    return { push: (piece) => records.push(piece), end };
  }

  jsonLines(): Parser {
    const decoder = new TextDecoder();
    let rest = '';
    let line = 0;
    const read = (text: string): void => {
      const lines = text.split('\n');
      rest = lines.pop() ?? '';
      for (const one of lines) this.object((line += 1), one);
      if (rest.length > LINE_MAX) this.fault(line + 1, 'The line is too long.');
    };
    return {
      push: (piece) => read(rest + decoder.decode(piece, { stream: true })),
      end: () => read(`${rest}${decoder.decode()}\n`),
    };
  }

  /** Throws if there are so many. */
  refuseFaults(least: number): void {
    if (this.faults.length >= least) throw invalidBody(this.faults.slice(0, FAULTS_MAX));
  }

  private record(line: number, fields: readonly string[]): void {
    if (this.columns !== null) {
      this.row(line, textsOf(this.columns, fields));
      return;
    }
    const columns = readHeader(fields);
    if (typeof columns === 'string') throw invalidBody([{ pointer: '', detail: columns }]);
    this.columns = columns;
  }

  private object(line: number, text: string): void {
    if (text.trim() === '') return;
    let members: unknown;
    try {
      members = JSON.parse(text);
    } catch {
      this.fault(line, 'This is no JSON.');
      return;
    }
    // The strict parser finds a number that was rounded, in five times as long.
    const strict = MAYBE_ROUNDED.test(text) ? parseStrictJson(text) : null;
    if (strict?.outcome === 'fault') {
      this.fault(line, strict.fault.detail);
      return;
    }
    if (typeof members === 'object' && members !== null && !Array.isArray(members)) {
      this.row(line, textsIn(members as Readonly<Record<string, unknown>>));
    } else this.fault(line, 'This is no object.');
  }

  private row(line: number, texts: RowTexts): void {
    const read = this.reader.read(line, texts);
    if (read.outcome === 'ignored') this.ignored += 1;
    else if (read.outcome === 'fault') this.fault(line, read.detail);
    else {
      if (this.rows.length >= ROWS_MAX) {
        const detail = `A log has at most ${ROWS_MAX.toLocaleString('en')} rows: divide it.`;
        throw new ProblemException(problem('too-large', detail));
      }
      this.rows.add(read.row);
    }
  }

  private fault(line: number, detail: string): void {
    if (this.faults.length < FAULTS_MAX) {
      this.faults.push({ pointer: '', detail: `Line ${line}: ${detail}` });
    }
  }
}
