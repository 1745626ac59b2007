// Invented names; any likeness with a brand that exists is by chance.
import NAMES from './brand-names.json' with { type: 'json' };
import { Random, uuidOfName } from './random.js';
import type { DemoCategory } from './tree.js';

export interface DemoBrand {
  readonly id: string;
  readonly label: string;
  readonly categories: readonly DemoCategory[];
}

const ENDINGS_EACH = 2;
const CATEGORIES_MAX = 4;

/** Brands of the demo, each at home in one to four of the cat3 categories that hold products. */
export function demoBrands(tree: readonly DemoCategory[]): DemoBrand[] {
  const homes = tree.filter(({ level, group }) => level === 3 && group === null);
  return NAMES.stems.flatMap((stem) => {
    const random = new Random(`brands of ${stem}`);
    const more = random.pick(NAMES.endings.slice(1), random.between(1, ENDINGS_EACH));
    return ['', ...more].map((ending) => {
      const label = `${stem}${ending}`;
      const categories = random.pick(homes, random.between(1, CATEGORIES_MAX));
      return { id: uuidOfName(`popindex demo brand ${label}`), label, categories };
    });
  });
}
