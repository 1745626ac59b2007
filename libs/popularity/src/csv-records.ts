import { isUtf8 } from 'node:buffer';

export interface CsvHandler {
  /** A record and the line that it begins on, counted from 1. */
  record(line: number, fields: readonly string[]): void;
  /** `unread` is the text of a record that is left out, as far as it is known. */
  fault(line: number, reason: string, unread: string): void;
}

/** A record longer than this is a mistake, not data; it bounds the memory. */
const RECORD_CHARACTERS_MAX = 64 * 1024;
/** No character takes more bytes of UTF-8 than this for each unit of a string's length. */
const BYTES_PER_CHARACTER_MAX = 3;
const LINE_TOO_LONG = `a line is longer than ${RECORD_CHARACTERS_MAX} characters`;
const LINE_FEED = 0x0a;
const NOT_UTF8 = 'is not UTF-8, perhaps Latin-1: save the file as UTF-8';
const OPEN_QUOTE = 'a quoted field does not end';
const STRAY_QUOTE = 'a quote stands inside a field';

/**
 * Splits the bytes of a CSV file into records (RFC 4180: commas, `"` around fields, `""` inside
 * them; lines end with LF or CRLF; a BOM is skipped, empty lines are). Bytes come in pieces of any
 * size. Most lines hold no quote and are split at once; what is wrong is reported by line, and the
 * lines after it are read on. Bytes that are not UTF-8 are reported once, and read as `\uFFFD`.
 */
export class CsvRecords {
  #rest: Buffer = Buffer.alloc(0);
  #line = 0;
  #open: { readonly line: number; text: string } | null = null;
  #skipping = false;
  #isUtf8 = true;

  constructor(private readonly handler: CsvHandler) {}

  push(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const end = bytes.lastIndexOf(LINE_FEED) + 1;
    if (end > 0) this.#lines(bytes.subarray(0, end - 1));
    this.#rest = this.#bounded(bytes.subarray(end));
  }

  end(): void {
    if (this.#rest.length > 0) this.#lines(this.#rest);
    this.#rest = Buffer.alloc(0);
    if (this.#open !== null) this.handler.fault(this.#open.line, OPEN_QUOTE, this.#open.text);
    this.#open = null;
  }

  /** A line that goes on for ever is reported once and left out until it ends. */
  #bounded(rest: Buffer): Buffer {
    if (this.#skipping) return Buffer.alloc(0);
    if (rest.length <= RECORD_CHARACTERS_MAX * BYTES_PER_CHARACTER_MAX) return rest;
    this.#skipping = true;
    this.handler.fault(this.#line + 1, LINE_TOO_LONG, rest.toString('utf8'));
    return Buffer.alloc(0);
  }

  #lines(block: Buffer): void {
    if (this.#skipping) {
      this.#skipLine(block);
      return;
    }
    // No byte of a longer character is a line feed, so that a block can be cut before decoding.
    if (this.#isUtf8 && !isUtf8(block)) {
      this.#isUtf8 = false;
      this.handler.fault(this.#line + linesOfUtf8(block) + 1, NOT_UTF8, '');
    }
    for (const text of block.toString('utf8').split('\n')) this.#next(text);
  }

  #skipLine(block: Buffer): void {
    this.#skipping = false;
    this.#line += 1;
    const end = block.indexOf(LINE_FEED);
    if (end !== -1) this.#lines(block.subarray(end + 1));
  }

  #next(text: string): void {
    this.#line += 1;
    if (text.length > RECORD_CHARACTERS_MAX) {
      this.handler.fault(this.#line, LINE_TOO_LONG, text);
      return;
    }
    const first = this.#line === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text;
    this.#text(first.endsWith('\r') ? first.slice(0, -1) : first);
  }

  #text(text: string): void {
    if (this.#open !== null) {
      this.#open.text += `\n${text}`;
      if (text.includes('"') || this.#open.text.length > RECORD_CHARACTERS_MAX) this.#continue();
      return;
    }
    if (text === '') return;
    if (text.includes('"')) this.#quoted(this.#line, text);
    else this.handler.record(this.#line, text.split(','));
  }

  #continue(): void {
    const open = this.#open;
    if (open === null) return;
    this.#open = null;
    if (open.text.length > RECORD_CHARACTERS_MAX) {
      this.handler.fault(open.line, OPEN_QUOTE, open.text);
      return;
    }
    this.#quoted(open.line, open.text);
  }

  #quoted(line: number, text: string): void {
    const fields = splitQuoted(text);
    if (fields === 'open') this.#open = { line, text };
    else if (fields === 'stray') this.handler.fault(line, STRAY_QUOTE, text);
    else this.handler.record(line, fields);
  }
}

/** How many lines come before the first that is not UTF-8. */
function linesOfUtf8(block: Buffer): number {
  const lines = block.toString('latin1').split('\n');
  return lines.findIndex((line) => !isUtf8(Buffer.from(line, 'latin1')));
}

/** Fields of a record with quotes; `open` when the last one goes on after the end of the text. */
function splitQuoted(text: string): string[] | 'open' | 'stray' {
  const fields: string[] = [];
  for (let at = 0; ; at += 1) {
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      if (end === -1) return 'open';
      fields.push(text.slice(at + 1, end).replaceAll('""', '"'));
      at = end + 1;
      if (at < text.length && text[at] !== ',') return 'stray';
    } else {
      const comma = text.indexOf(',', at);
      const end = comma === -1 ? text.length : comma;
      const field = text.slice(at, end);
      if (field.includes('"')) return 'stray';
      fields.push(field);
      at = end;
    }
    if (at >= text.length) return fields;
  }
}

/** Where the quoted field that begins at `from` ends, -1 when it does not. */
function closingQuote(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at !== -1; at = text.indexOf('"', at + 2)) {
    if (text[at + 1] !== '"') return at;
  }
  return -1;
}
