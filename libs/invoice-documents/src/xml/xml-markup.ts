/** A piece of XML that is well-formed by itself. Only the functions of this file make it. */
export type Markup = string & { readonly markup: true };

type Attributes = Readonly<Record<string, string>>;

/** Characters that XML 1.0 cannot hold at all, not even escaped. */
const FORBIDDEN = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;
const REPLACEMENT = '\ufffd';
const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

function escaped(text: string): string {
  const allowed = text.replace(FORBIDDEN, REPLACEMENT);
  return allowed.replace(/[&<>"\r]/g, (character) => ESCAPES[character] ?? character);
}

function attributesOf(attributes: Attributes): string {
  return Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('');
}

/** An element that holds text. What XML cannot hold becomes U+FFFD. */
export function text(name: string, value: string, attributes: Attributes = {}): Markup {
  return `<${name}${attributesOf(attributes)}>${escaped(value)}</${name}>` as Markup;
}

/** An element for a text that may be absent, and then is: empty elements are not allowed. */
export function textIf(name: string, value: string | undefined): Markup | undefined {
  return value === undefined || value === '' ? undefined : text(name, value);
}

/** An element that holds elements, one a line; those that are absent are left out. */
export function group(
  name: string,
  children: readonly (Markup | undefined)[],
  attributes: Attributes = {},
): Markup {
  const present = children.filter((child) => child !== undefined);
  return `<${name}${attributesOf(attributes)}>\n${present.join('\n')}\n</${name}>` as Markup;
}
