import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { demoBrands } from './brands.js';
import { Random } from './random.js';
import { demoRelations } from './relations.js';
import { ancestorAt, demoTree, type DemoCategory } from './tree.js';
import { demoVolumes } from './volumes.js';
import { monthNumber } from '../month.js';
import { SOURCES } from '../sources.js';

const LIFE_CYCLES = ['emerging', 'growing', 'mature', 'declining'];

/**
 * Writes the four files of the demo data into a directory, which is made where it is missing: a
 * beauty tree, brands, four groups and 48 months that end with `lastMonth` (`YYYY-MM-01`; a
 * RangeError for other text). The same month gives the same bytes on every machine.
 */
export async function writeDemoRelease(directory: string, lastMonth: string): Promise<void> {
  const last = monthNumber(lastMonth);
  if (last === undefined) throw new RangeError(`${lastMonth} is not the first day of a month.`);
  await mkdir(directory, { recursive: true });
  for (const [file, lines] of Object.entries(demoFiles(last))) {
    await writeFile(path.join(directory, file), `${lines.join('\n')}\n`);
  }
}

function demoFiles(lastMonth: number): Readonly<Record<string, readonly string[]>> {
  const tree = demoTree();
  const brands = demoBrands(tree);
  const leaves = tree.filter(({ level }) => level === 5);
  return {
    'categories.csv': ['id,level,label,slug,parent_id,life_cycle', ...tree.map(categoryLine)],
    'brands.csv': [
      'id,label,category_id',
      ...brands.flatMap(({ id, label, categories }) =>
        categories.map((category) => `${id},${quoted(label)},${category.id}`),
      ),
    ],
    'relations.csv': [
      'category_id,group,related_id',
      ...demoRelations(tree).map(
        ({ category, group, related }) => `${category.id},${group},${related.id}`,
      ),
    ],
    'volumes.csv': [
      ['item_id', 'region', 'month', ...SOURCES].join(),
      ...leaves.flatMap((leaf) => demoVolumes(leaf.id, isSunny(leaf), lastMonth)),
      ...brands.flatMap(({ id }) => demoVolumes(id, false, lastMonth)),
    ],
  };
}

function categoryLine({ id, level, label, slug, parent }: DemoCategory): string {
  return `${id},cat${level},${quoted(label)},${slug},${parent?.id ?? ''},${lifeCycle(slug, level)}`;
}

/** Some items have a life cycle of the data set's own, most have none. */
function lifeCycle(slug: string, level: number): string {
  const random = new Random(`life cycle of ${slug}`);
  if (level < 5 || random.chance(60)) return '';
  return LIFE_CYCLES[random.between(0, LIFE_CYCLES.length - 1)] ?? '';
}

function isSunny(leaf: DemoCategory): boolean {
  return ancestorAt(leaf, 2).slug === 'sun-care';
}

function quoted(text: string): string {
  return /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
