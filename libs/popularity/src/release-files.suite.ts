import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Files of a release by their names; null leaves one out. */
export type ReleaseFiles = Readonly<Record<string, string | Buffer | null>>;

/** Ids that are easy to read: `id('c5', 1)` ends in `c50000000001`. */
export function id(kind: string, number: number): string {
  return `00000000-0000-4000-8000-${kind}${String(number).padStart(12 - kind.length, '0')}`;
}

export const ROOT = id('c1', 1);
export const SKIN = id('c2', 1);
export const FACE = id('c3', 1);
export const SERUMS = id('c4', 1);
export const ACNE = id('c5', 1);
export const SERUM = id('c5', 2);
export const BRAND = id('b', 1);

/** A small release without a fault; its rows stand where the tables of faults say. */
export const GOOD_FILES = {
  'categories.csv': [
    'id,level,label,slug,parent_id,life_cycle',
    `${ROOT},cat1,Beauty,beauty,,`,
    `${SKIN},cat2,Skincare,skincare,${ROOT},`,
    `${FACE},cat3,Face,face,${SKIN},`,
    `${SERUMS},cat4,Serums,serums,${FACE},`,
    `${ACNE},cat5,Acne,acne,${SERUMS},growing`,
    `${SERUM},cat5,Serum,serum,${SERUMS},`,
    '',
  ].join('\n'),
  'brands.csv': `id,label,category_id\n${BRAND},Orla,${FACE}\n`,
  'relations.csv': `category_id,group,related_id\n${SERUM},concerns,${ACNE}\n`,
  'volumes.csv': [
    'item_id,region,month,google,tiktok,instagram',
    `${ACNE},us,2026-09-01,10,2.5,0`,
    `${ACNE},us,2026-10-01,20,0,0.0001`,
    `${BRAND},global,2026-10-01,7,0,0`,
    '',
  ].join('\n'),
} as const;

/** Writes files into a fresh directory, which `remove` takes away. */
export async function releaseDirectory(
  files: ReleaseFiles,
): Promise<{ readonly directory: string; readonly remove: () => Promise<void> }> {
  const directory = await mkdtemp(path.join(tmpdir(), 'popindex-release-'));
  for (const [file, content] of Object.entries(files)) {
    if (content !== null) await writeFile(path.join(directory, file), content);
  }
  return { directory, remove: () => rm(directory, { recursive: true, force: true }) };
}
