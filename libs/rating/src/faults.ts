/** One thing that is wrong with a JSON value: where (RFC 6901) and what. */
export interface Fault {
  readonly pointer: string;
  readonly detail: string;
}

type JsonObject = Readonly<Record<string, unknown>>;

/** The place of a member or an element below another place, as a JSON pointer. */
export function below(pointer: string, name: string | number): string {
  return `${pointer}/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}

/** Collects what is wrong with a JSON value, in the order in which it is read. */
export class Faults {
  readonly found: Fault[] = [];

  add(pointer: string, detail: string): void {
    this.found.push({ pointer, detail });
  }

  /**
   * The value as an object without other members than the `known`, if they are given; undefined if
   * it is none.
   */
  object(pointer: string, value: unknown, known?: readonly string[]): JsonObject | undefined {
    if (!isObject(value)) {
      this.add(pointer, 'must be an object');
      return undefined;
    }
    for (const name of Object.keys(value)) {
      if (known === undefined || known.includes(name)) continue;
      this.add(below(pointer, name), `is not a member here; known are ${known.join(', ')}`);
    }
    return value;
  }

  /** Whether a member is there; it is a fault if not. */
  has(pointer: string, object: JsonObject, name: string): boolean {
    const present = Object.hasOwn(object, name);
    if (!present) this.add(below(pointer, name), 'is missing');
    return present;
  }

  /** Whether a value is a whole number within bounds, both inclusive; it is a fault if not. */
  count(pointer: string, value: unknown, min: number, max: number): value is number {
    const fits = typeof value === 'number' && Number.isSafeInteger(value);
    if (fits && value >= min && value <= max) return true;
    this.add(pointer, `must be a whole number from ${min} to ${max}`);
    return false;
  }
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
