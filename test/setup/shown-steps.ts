/** An answer as a document shows it: a subset of JSON, or lines of anything else. */
export interface ShownAnswer {
  readonly language: string;
  readonly text: string;
}

/** One block of `sh` of a document, and the answers that stand below it. */
export interface Step {
  /** Of the block in the document, counted from 1. */
  readonly line: number;
  readonly heading: string;
  readonly script: string;
  readonly answers: readonly ShownAnswer[];
}

/** Blocks of these are neither typed nor answered: they show what a reader does elsewhere. */
const NOT_RUN = new Set(['console']);

/** The blocks of a Markdown document in their order. */
export function stepsOf(markdown: string): Step[] {
  const steps: (Step & { answers: ShownAnswer[] })[] = [];
  let heading = '';
  for (const match of markdown.matchAll(/^#+ (.+)$|^```(\w*)\n([^]*?)^```$/gm)) {
    const [, title, language = '', text = ''] = match;
    if (title !== undefined) heading = title;
    else if (language === 'sh') {
      const line = markdown.slice(0, match.index).split('\n').length;
      steps.push({ line, heading, script: text, answers: [] });
    } else if (!NOT_RUN.has(language)) steps.at(-1)?.answers.push({ language, text });
  }
  return steps;
}

function matches(shown: string, text: string): boolean {
  const parts = shown.split('…').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(text);
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** `place: shown, but is …` for everything that a shown value says and the value does not. */
export function differences(shown: unknown, value: unknown, place = ''): string[] {
  if (Array.isArray(shown) && Array.isArray(value)) {
    const items: unknown[] = shown.at(-1) === '…' ? shown.slice(0, -1) : shown;
    const isShort = shown.length === items.length ? value.length !== items.length : false;
    const found = items.flatMap((item, index) =>
      differences(item, value[index], `${place}/${index}`),
    );
    return isShort ? [`${place}: ${items.length} items, but there are ${value.length}`] : found;
  }
  if (isRecord(shown) && isRecord(value)) {
    return Object.entries(shown).flatMap(([name, member]) =>
      differences(member, value[name], `${place}/${name}`),
    );
  }
  const isSame =
    typeof shown === 'string' && typeof value === 'string'
      ? matches(shown, value)
      : shown === value;
  return isSame ? [] : [`${place}: ${JSON.stringify(shown)}, but it is ${JSON.stringify(value)}`];
}

/** Lines that a document shows below a block and the block did not print; … stands for any text. */
export function faultsOf({ language, text }: ShownAnswer, output: string): string[] {
  if (language === 'json') return differences(JSON.parse(text), JSON.parse(output));
  const lines = output.split(/\r?\n/);
  const shown = text.split('\n').filter((line) => line !== '');
  return shown.filter((line) => !lines.some((each) => matches(line, each)));
}
