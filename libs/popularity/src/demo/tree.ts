import OUTLINE from './outline.json' with { type: 'json' };
import { uuidOfName } from './random.js';

export interface DemoCategory {
  readonly id: string;
  /** 1 to 5. */
  readonly level: number;
  readonly label: string;
  readonly slug: string;
  readonly parent: DemoCategory | null;
  /** Set for the items that others are related to. */
  readonly group: string | null;
}

const INDENT = 2;
const LEAF = 5;

/** `Men's face and hair` → `mens-face-and-hair` */
export function slugOf(label: string): string {
  return label
    .toLowerCase()
    .replaceAll("'", '')
    .replace(/[^a-z0-9]+/g, '-');
}

/**
 * The demo's tree, each category before those below it. The outline has a cat2 without indent, a
 * cat3 with two spaces, a cat4 with four and, after its colon, its cat5 items, which may go on with
 * six. A group in brackets makes the items of a cat3 the ones that others are related to in it.
 */
export function demoTree(): DemoCategory[] {
  const tree: DemoCategory[] = [];
  const path: DemoCategory[] = [];
  const add = (level: number, label: string, group: string | null): void => {
    const slug = slugOf(label);
    const parent = path[level - 2] ?? null;
    const id = uuidOfName(`popindex demo category ${level} ${slug}`);
    const category = { id, level, label, slug, parent, group: group ?? parent?.group ?? null };
    path.splice(level - 1, path.length, category);
    tree.push(category);
  };
  add(1, 'Beauty', null);
  for (const line of OUTLINE) {
    const level = (line.length - line.trimStart().length) / INDENT + 2;
    const [name = '', listed = ''] = line.trim().split(': ');
    if (level < LEAF) add(level, name.replace(/ \[.+\]$/, ''), /\[(.+)\]$/.exec(name)?.[1] ?? null);
    const items = level < LEAF ? listed : name;
    for (const item of items.split(', ').filter((text) => text !== '')) add(LEAF, item, null);
  }
  return tree;
}

/** The category itself or the one above it at a level. */
export function ancestorAt(category: DemoCategory, level: number): DemoCategory {
  return category.level <= level || category.parent === null
    ? category
    : ancestorAt(category.parent, level);
}
