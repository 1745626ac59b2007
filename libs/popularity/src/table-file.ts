import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import path from 'node:path';
import { CsvRecords } from './csv-records.js';
import { shown, type Faults } from './fault.js';
import type { Table } from './table.js';

/** A file of a release that exists and has the right header. */
export interface TableFile {
  readonly table: Table;
  readonly path: string;
  readonly bytes: number;
  /** For each column of the table, its place in the file. */
  readonly order: readonly number[];
}

const CHUNK_BYTES = 1 << 20;
const HEADER_BYTES_MAX = 64 * 1024;

/** Looks at the header of one file of a release; null, with faults, when it cannot be read on. */
export async function openTableFile(
  directory: string,
  table: Table,
  faults: Faults,
): Promise<TableFile | null> {
  const file = path.join(directory, table.file);
  const found = await stat(file).catch(() => null);
  if (found === null || !found.isFile()) {
    faults.add(table.file, null, null, found === null ? 'is missing' : 'is not a file');
    return null;
  }
  const start = await beginningOf(file);
  if (isUtf16(start)) {
    faults.add(table.file, 1, null, 'is UTF-16, not UTF-8');
    return null;
  }
  const names = headerOf(start, table, faults);
  const order = names === null ? null : columnOrder(names, table, faults);
  return order && { table, path: file, bytes: found.size, order };
}

/** Reads a whole file into its table. Answers the rows it held and the SHA-256 of its bytes. */
export async function readTableFile(
  file: TableFile,
  faults: Faults,
  onProgress: (rows: number, bytes: number) => void,
): Promise<{ readonly rows: number; readonly sha256: string }> {
  const hash = createHash('sha256');
  const { table } = file;
  let rows = -1;
  let bytes = 0;
  const records = new CsvRecords({
    record: (line, fields) => {
      rows += 1;
      if (rows > 0) takeRow(file, line, fields, faults);
    },
    fault: (line, reason, unread) => faults.addUnreadRow(table.file, line, reason, unread),
  });
  const stream = createReadStream(file.path, { highWaterMark: CHUNK_BYTES });
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    hash.update(chunk);
    records.push(chunk);
    bytes += chunk.length;
    onProgress(Math.max(rows, 0), bytes);
  }
  records.end();
  table.end();
  onProgress(Math.max(rows, 0), bytes);
  return { rows: Math.max(rows, 0), sha256: hash.digest('hex') };
}

function takeRow(
  { table, order }: TableFile,
  line: number,
  fields: readonly string[],
  faults: Faults,
): void {
  if (fields.length !== order.length) {
    const count = fields.length === 1 ? '1 field' : `${fields.length} fields`;
    faults.addUnreadRow(table.file, line, `has ${count}, not ${order.length}`, fields.join());
    return;
  }
  const inOrder = order.every((place, column) => place === column);
  table.row(line, inOrder ? fields : order.map((place) => fields[place] ?? ''));
}

async function beginningOf(file: string): Promise<Buffer> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEADER_BYTES_MAX), 0);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}

function isUtf16(start: Buffer): boolean {
  const mark = start.subarray(0, 2).toString('hex');
  return mark === 'fffe' || mark === 'feff';
}

/** The names in the header, null where there is none that can be read. */
function headerOf(start: Buffer, table: Table, faults: Faults): readonly string[] | null {
  const lineEnd = start.indexOf('\n');
  const line = lineEnd === -1 ? start : start.subarray(0, lineEnd);
  const separator = foreignSeparator(line.toString('utf8'), table);
  if (separator !== undefined) {
    const reason = `the separator is ${shown(separator)}, a comma is expected`;
    faults.add(table.file, 1, null, reason);
    return null;
  }
  let names: readonly string[] | null = null;
  let faulty = false;
  const records = new CsvRecords({
    record: (_line, fields) => {
      names = fields;
    },
    fault: (at, reason) => {
      faulty = true;
      faults.add(table.file, at, null, reason);
    },
  });
  records.push(line);
  records.end();
  if (names === null && !faulty) {
    faults.add(table.file, 1, null, `has no header, which is ${table.columns.join(',')}`);
  }
  return faulty ? null : names;
}

/** The separator that divides a header into more of the table's columns than a comma does. */
function foreignSeparator(header: string, { columns }: Table): string | undefined {
  const found = (separator: string): number =>
    header.split(separator).filter((name) => columns.includes(name.replaceAll('"', '').trim()))
      .length;
  return [';', '\t', '|'].find((separator) => found(separator) > found(','));
}

function columnOrder(
  names: readonly string[],
  table: Table,
  faults: Faults,
): readonly number[] | null {
  const before = faults.total;
  names.forEach((name, index) => {
    const known = table.columns.includes(name);
    if (!known) faults.add(table.file, 1, null, `${shown(name)} is no column of this file`);
    else if (names.indexOf(name) < index) faults.add(table.file, 1, name, 'stands here twice');
  });
  for (const column of table.columns) {
    if (!names.includes(column)) faults.add(table.file, 1, column, 'the column is missing');
  }
  return faults.total > before ? null : table.columns.map((column) => names.indexOf(column));
}
