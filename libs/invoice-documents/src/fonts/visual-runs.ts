import bidiFactory, { type Bidi } from 'bidi-js';

/** A piece of a line in one direction. Runs stand in the order in which they are seen. */
export interface VisualRun {
  /** In the order in which it is read; brackets are turned round for their direction. */
  readonly text: string;
  readonly direction: 'ltr' | 'rtl';
}

interface LevelRun {
  text: string;
  readonly level: number;
}

// What the types call the default export of a module is the module itself.
const bidi = (bidiFactory as unknown as () => Bidi)();

/** The runs of one line by the Unicode Bidirectional Algorithm, from left to right. */
export function visualRuns(line: string): VisualRun[] {
  const { levels } = bidi.getEmbeddingLevels(line, 'auto');
  const mirrored = bidi.getMirroredCharactersMap(line, levels);
  const runs: LevelRun[] = [];
  for (let index = 0; index < line.length; index += 1) {
    const level = levels[index] ?? 0;
    const text = mirrored.get(index) ?? line.charAt(index);
    const last = runs.at(-1);
    if (last !== undefined && last.level === level) last.text += text;
    else runs.push({ text, level });
  }
  return inOrderOfSight(runs).map(({ text, level }) => ({
    text,
    direction: level % 2 === 1 ? 'rtl' : 'ltr',
  }));
}

/** Rule L2: from the highest level down, what lies at a level or above it is turned round. */
function inOrderOfSight(runs: LevelRun[]): LevelRun[] {
  const highest = Math.max(0, ...runs.map(({ level }) => level));
  let ordered = runs;
  for (let level = highest; level >= 1; level -= 1) {
    const next: LevelRun[] = [];
    let turned: LevelRun[] = [];
    for (const run of ordered) {
      if (run.level >= level) {
        turned.unshift(run);
        continue;
      }
      next.push(...turned, run);
      turned = [];
    }
    ordered = [...next, ...turned];
  }
  return ordered;
}
