/** Where and why a text is no JSON that is taken here. */
export interface JsonFault {
  /** JSON pointer (RFC 6901) of the value at fault. */
  readonly pointer: string;
  readonly detail: string;
}

export type JsonOutcome =
  | { readonly outcome: 'value'; readonly value: unknown }
  | { readonly outcome: 'fault'; readonly fault: JsonFault };

const DEPTH_MAX = 64;
/** Characters of a number that are shown. */
const SHOWN = 40;
/** So many digits are always held. */
const DIGITS_SAFE = 15;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LONE_SURROGATE = /\p{Cs}/u;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const FIRST_PRINTABLE = 0x20;
const SPACE = /[ \t\n\r]*/y;

class FaultFound extends Error {
  constructor(readonly fault: JsonFault) {
    super(fault.detail);
  }
}

/**
 * Parses JSON (RFC 8259) more strictly than JSON.parse: a member that is named twice is a fault
 * (which one would count?), so are `__proto__` and a number that would be rounded, and every fault
 * says its place.
 */
export function parseStrictJson(text: string): JsonOutcome {
  try {
    return { outcome: 'value', value: new Parser(text).whole() };
  } catch (error) {
    if (error instanceof FaultFound) return { outcome: 'fault', fault: error.fault };
    throw error;
  }
}

class Parser {
  #at = 0;
  readonly #path: string[] = [];

  constructor(readonly text: string) {}

  whole(): unknown {
    const value = this.#value();
    this.#space();
    if (this.#at < this.text.length) this.#fail('Something follows the JSON value');
    return value;
  }

  #value(): unknown {
    this.#space();
    if (this.#path.length > DEPTH_MAX) this.#fail(`Nested deeper than ${DEPTH_MAX} levels`);
    switch (this.text[this.#at]) {
      case '{':
        return this.#object();
      case '[':
        return this.#array();
      case '"':
        return this.#string();
      case 't':
        return this.#word('true', true);
      case 'f':
        return this.#word('false', false);
      case 'n':
        return this.#word('null', null);
      case undefined:
      default:
        return this.#number();
    }
  }

  #object(): Record<string, unknown> {
    const members: Record<string, unknown> = {};
    this.#at += 1;
    if (this.#take('}')) return members;
    do {
      this.#space();
      if (this.text[this.#at] !== '"') this.#fail('A member begins with its name in quotes');
      const name = this.#string();
      this.#path.push(name);
      if (name === '__proto__') this.#fail('A member must not be named "__proto__"');
      if (Object.hasOwn(members, name)) this.#fail(`The member "${name}" is there twice`);
      if (!this.#take(':')) this.#fail('A colon is missing after the name of a member');
      members[name] = this.#value();
      this.#path.pop();
    } while (this.#take(','));
    if (!this.#take('}')) this.#fail('A comma or "}" is missing');
    return members;
  }

  #array(): unknown[] {
    const items: unknown[] = [];
    this.#at += 1;
    if (this.#take(']')) return items;
    do {
      this.#path.push(String(items.length));
      items.push(this.#value());
      this.#path.pop();
    } while (this.#take(','));
    if (!this.#take(']')) this.#fail('A comma or "]" is missing');
    return items;
  }

  #string(): string {
    const end = this.#stringEnd();
    const value = this.#unescaped(this.text.slice(this.#at, end));
    // A lone surrogate has no UTF-8: it could be neither stored nor shown again.
    if (LONE_SURROGATE.test(value)) this.#fail('A string holds half a surrogate pair');
    this.#at = end;
    return value;
  }

  #unescaped(quoted: string): string {
    if (!quoted.includes('\\')) return quoted.slice(1, -1);
    try {
      return JSON.parse(quoted) as string;
    } catch {
      return this.#fail('A string holds a bad escape');
    }
  }

  #stringEnd(): number {
    for (let index = this.#at + 1; index < this.text.length; index += 1) {
      const code = this.text.charCodeAt(index);
      if (code === QUOTE) return index + 1;
      if (code < FIRST_PRINTABLE) return this.#fail('A string holds a control character');
      if (code === BACKSLASH) index += 1;
    }
    return this.#fail('A string is not closed');
  }

  #number(): number {
    const raw = this.#match(NUMBER);
    if (raw === undefined) return this.#fail('A JSON value is missing');
    const value = Number(raw);
    if (!Number.isFinite(value)) this.#fail('A number is too large');
    const isLong = raw.length > DIGITS_SAFE || /e/i.test(raw);
    if (isLong && digitsOf(raw) !== digitsOf(String(value))) {
      this.#fail(`The number ${raw.slice(0, SHOWN)} is not held exactly: it would be ${value}`);
    }
    // Minus zero is zero.
    return value === 0 ? 0 : value;
  }

  #word<Value>(word: string, value: Value): Value {
    if (!this.text.startsWith(word, this.#at)) return this.#fail('A JSON value is missing');
    this.#at += word.length;
    return value;
  }

  #space(): void {
    this.#match(SPACE);
  }

  #take(character: string): boolean {
    this.#space();
    if (this.text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    this.#at += found?.length ?? 0;
    return found;
  }

  #fail(what: string): never {
    const before = this.text.slice(0, this.#at);
    const line = before.split('\n').length;
    const column = this.#at - before.lastIndexOf('\n');
    const pointer = this.#path.map((name) => `/${escapePointer(name)}`).join('');
    throw new FaultFound({ pointer, detail: `${what} (line ${line}, column ${column}).` });
  }
}

/** A decimal without zeros at its ends, and where its point is: equal texts are equal numbers. */
function digitsOf(decimal: string): string {
  const [mantissa = '', exponent = '0'] = decimal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const zeros = digits.length - significant.length;
  const sign = mantissa.startsWith('-') ? '-' : '';
  return `${sign}${significant}e${Number(exponent) + zeros - fraction.length}`;
}

/** A name as a segment of a JSON pointer (RFC 6901). */
export function escapePointer(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
