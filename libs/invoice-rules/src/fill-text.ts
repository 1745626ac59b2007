const PLACEHOLDER = /\{(\w+)\}/g;

/** A text with a value in place of each `{name}`. Throws where one has no value. */
export function fillText(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`"${text}" lacks a value for ${name}.`);
    return value;
  });
}

/** The names that a text has a place for, in order. */
export function placeholdersOf(text: string): string[] {
  return [...text.matchAll(PLACEHOLDER)].map(([, name = '']) => name).toSorted();
}
