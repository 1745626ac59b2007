import { NOT_DECODED } from './path-fault.js';
import type { PathFault } from './path-fault.js';
import type { Form } from './resource.js';

const SLUG = /^[a-z0-9-]+$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** Whether a text is a value of a form; a UUID may have any version. */
export function isOfForm(form: Form, text: string): boolean {
  if (isList(form)) return form.includes(text);
  if (form === 'uuid') return UUID.test(text);
  return text.length <= form.slugMax && SLUG.test(text);
}

function isList(form: Form): form is readonly [string, ...string[]] {
  return Array.isArray(form);
}

/** A form in words: a value must be … */
export function formWords(form: Form): string {
  if (form === 'uuid') return 'a UUID in lower case';
  if ('slugMax' in form) return `1 to ${form.slugMax} characters of a to z, 0 to 9 and "-"`;
  return `one of ${form.join(', ')}`;
}

/** Reads the values of one path and keeps what is wrong with each of them, in order. */
export class PathValues {
  readonly faults: PathFault[] = [];

  /** The value in a path, of which a UUID may be written in any case. */
  read(name: string, form: Form, text: string): string {
    const value = form === 'uuid' ? text.toLowerCase() : text;
    if (!isOfForm(form, value)) {
      this.refuse({ in: 'path', name, value: text, ...expected(form) });
    }
    return value;
  }

  window(name: string, value: string, isWindowLabel: (text: string) => boolean): string {
    const detail = 'This must be "latest" or the label of a week, such as 2026w47.';
    if (value !== 'latest' && !isWindowLabel(value)) {
      this.refuse({ in: 'path', name, value, detail });
    }
    return value;
  }

  private refuse(fault: PathFault): void {
    this.faults.push(fault.value.includes('%') ? { ...fault, detail: NOT_DECODED } : fault);
  }
}

function expected(form: Form): Pick<PathFault, 'allowed' | 'detail'> {
  if (form === 'uuid') return { detail: 'This must be a UUID.' };
  if (!('slugMax' in form)) return { allowed: [...form] };
  return { detail: `This must be ${formWords(form)}.` };
}
