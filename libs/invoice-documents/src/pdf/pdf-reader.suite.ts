import { spawnSync } from 'node:child_process';
import path from 'node:path';

/** A PDF as a reader that shares no code with its writer sees it. */
export interface ReadPdf {
  /** The text of each page. */
  readonly pages: readonly string[];
  readonly title: string;
  readonly metadata: string;
  readonly attachments: readonly { readonly name: string; readonly base64: string }[];
}

const PROGRAM = path.resolve('test/setup/read-pdf.mjs');
const OUTPUT_BYTES_MAX = 64 * 1024 * 1024;

export function readPdf(pdf: Uint8Array): ReadPdf {
  const options = { input: pdf, maxBuffer: OUTPUT_BYTES_MAX, encoding: 'utf8' } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [PROGRAM], options);
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as ReadPdf;
}
