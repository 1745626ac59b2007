import { appendFile, readFile } from 'node:fs/promises';
import path from 'node:path';
import { writeDemoRelease } from '#popularity/demo/demo-release.js';

const ID_HEX = 8;
const LAST_MONTH = '2026-10-01';

function lines(text: string): string[] {
  return text.trimEnd().split('\n').slice(1);
}

/** Another id for each copy of a row; the same one in every file. */
function renamed(line: string, copy: number): string {
  const hex = (Number.parseInt(line.slice(0, ID_HEX), 16) ^ copy) >>> 0;
  return hex.toString(16).padStart(ID_HEX, '0') + line.slice(ID_HEX);
}

/**
 * The demo data with every brand, and all its volumes, so many times. `variant` makes releases
 * that differ: the files of the newest one again would change nothing.
 */
export async function writeEnlargedRelease(
  directory: string,
  copies: number,
  variant: number,
): Promise<void> {
  await writeDemoRelease(directory, LAST_MONTH);
  const [brandsFile, volumesFile] = ['brands.csv', 'volumes.csv'].map((name) =>
    path.join(directory, name),
  ) as [string, string];
  const brands = lines(await readFile(brandsFile, 'utf8'));
  const ids = new Set(brands.map((line) => line.slice(0, line.indexOf(','))));
  const volumes = lines(await readFile(volumesFile, 'utf8')).filter((line) =>
    ids.has(line.slice(0, line.indexOf(','))),
  );
  for (let copy = 1; copy < copies; copy += 1) {
    const name = copy + copies * variant;
    const append = (file: string, rows: readonly string[]): Promise<void> =>
      appendFile(file, `${rows.map((line) => renamed(line, name)).join('\n')}\n`);
    await append(brandsFile, brands);
    await append(volumesFile, volumes);
  }
}
