import { NOT_DECODED } from './path-fault.js';
import type { PathFault } from './path-fault.js';

const SLUG = /^[a-z0-9-]+$/;
/** Names of groups are short; slugs of categories come from the labels of a data set. */
export const GROUP_LENGTH_MAX = 64;
export const SLUG_LENGTH_MAX = 200;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text can be the slug of a category or the name of a group: `skin-types`. */
export function isSlug(text: string, lengthMax = SLUG_LENGTH_MAX): boolean {
  return text.length <= lengthMax && SLUG.test(text);
}

/** Whether a text is a UUID of any version in lower case. */
export function isUuid(text: string): boolean {
  return UUID.test(text);
}

/** Reads the values of one path and keeps what is wrong with each of them, in order. */
export class PathValues {
  readonly faults: PathFault[] = [];

  /** A value out of a closed list. After a fault the first of the list stands in for it. */
  oneOf<Value extends string>(
    name: string,
    value: string,
    allowed: readonly [Value, ...Value[]],
  ): Value {
    const found = allowed.find((candidate) => candidate === value);
    if (found === undefined) this.refuse({ in: 'path', name, value, allowed: [...allowed] });
    return found ?? allowed[0];
  }

  /** A UUID of any version, in lower case. */
  uuid(name: string, value: string): string {
    const lower = value.toLowerCase();
    if (!isUuid(lower)) this.refuse({ in: 'path', name, value, detail: 'Not a UUID.' });
    return lower;
  }

  slug(name: string, value: string, lengthMax = SLUG_LENGTH_MAX): string {
    const detail = `Not 1 to ${lengthMax} characters of a to z, 0 to 9 and "-".`;
    if (!isSlug(value, lengthMax)) this.refuse({ in: 'path', name, value, detail });
    return value;
  }

  window(name: string, value: string, isWindowLabel: (text: string) => boolean): string {
    const detail = 'Neither "latest" nor the label of a week, such as 2026w47.';
    if (value !== 'latest' && !isWindowLabel(value)) {
      this.refuse({ in: 'path', name, value, detail });
    }
    return value;
  }

  private refuse(fault: PathFault): void {
    this.faults.push(fault.value.includes('%') ? { ...fault, detail: NOT_DECODED } : fault);
  }
}
