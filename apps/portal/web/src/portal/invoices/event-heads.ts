import type { ExportedEvent } from '#invoice-rules/check-statement.js';

const LENGTH_BYTES = 4;
const HEX = 16;

/** SHA-256 as hex digits. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(HEX).padStart(2, '0')).join('');
}

/**
 * The account's head after an event, as the log chains it: SHA-256 over the head before, the
 * account id, its version, the call id, the type, the moment in ms and the data, each behind its
 * length in bytes.
 */
export function headAfter(head: string, accountId: string, event: ExportedEvent): Promise<string> {
  const texts = [
    accountId,
    String(event.account_version),
    event.call_id ?? '',
    event.type,
    String(Date.parse(event.at)),
    JSON.stringify(event.data),
  ];
  const encoder = new TextEncoder();
  return sha256(joined([bytesOf(head), ...texts.map((text) => encoder.encode(text))]));
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, HEX));
}

function joined(fields: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const size = fields.reduce((sum, { length }) => sum + LENGTH_BYTES + length, 0);
  const all = new Uint8Array(size);
  let end = 0;
  for (const field of fields) {
    new DataView(all.buffer).setUint32(end, field.length);
    all.set(field, end + LENGTH_BYTES);
    end += LENGTH_BYTES + field.length;
  }
  return all;
}
