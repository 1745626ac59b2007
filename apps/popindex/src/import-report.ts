import type { ImportOutcome, NewerRelease } from '#popularity/import-release.js';
import type { DroppedItems } from '#popularity/dropped-items.js';
import { faultText } from '#popularity/fault.js';

const NUMBERS = new Intl.NumberFormat('en');

function speed(rows: number, seconds: number): string {
  const perSecond = Math.round(rows / Math.max(seconds, 0.001));
  return `${NUMBERS.format(rows)} rows of volumes.csv in ${seconds.toFixed(2)} s, ${NUMBERS.format(perSecond)} a second`;
}

interface Comparison {
  readonly dropped: DroppedItems | null;
  readonly olderThan: NewerRelease | null;
}

function warnings({ dropped, olderThan }: Comparison): string {
  return olderText(olderThan) + droppedText(dropped);
}

function olderText(olderThan: NewerRelease | null): string {
  if (olderThan === null) return '';
  const { release, through } = olderThan;
  return `\nWarning: its data is older than that of release ${release}, which it replaces and which reaches ${through}.`;
}

function droppedText(dropped: DroppedItems | null): string {
  if (dropped === null) return '';
  const { release, categories, brands } = dropped;
  const missing = `${NUMBERS.format(categories)} categories and ${NUMBERS.format(brands)} brands`;
  return `\nWarning: ${missing} of release ${release}, which serves now, are missing from it.`;
}

/** The report of an import, for a person. Pure. */
export function importReport(result: ImportOutcome): string {
  const taken = speed(result.rows, result.seconds);
  switch (result.outcome) {
    case 'published': {
      const { label, window, through } = result.release;
      const serves = `Release ${label} serves from window ${window} on; its newest month is ${through}.`;
      return `${serves} ${taken}.${warnings(result)}`;
    }
    case 'unchanged':
      return `Release ${result.release.label} was made of the same files: nothing was changed.`;
    case 'checked':
      return `Nothing is wrong with it; it would serve from window ${result.window} on. ${taken}.${warnings(result)}`;
    case 'refused':
      return `Not imported: ${result.reason}`;
    case 'faulty': {
      const { faults, total } = result;
      const end = `Not imported: ${NUMBERS.format(total)} ${total === 1 ? 'fault' : 'faults'}.`;
      return [...faults.map(faultText), end].join('\n');
    }
  }
}

/** Whether the command did what it was asked for. */
export function succeeded({ outcome }: ImportOutcome): boolean {
  return outcome === 'published' || outcome === 'unchanged' || outcome === 'checked';
}
