type Texts<Name extends string> = { readonly [name in Name]?: string | undefined };

/** The router reads `true` and `12` in an address as what they are in JSON. */
function isText(value: unknown): value is string | number | boolean {
  return ['string', 'number', 'boolean'].includes(typeof value);
}

/**
 * Reads members of an address's search that are texts. Wrong ones are there as undefined: the
 * router would hand on what an address holds beside what was read.
 */
export function textsIn<const Names extends readonly string[]>(...names: Names) {
  return (search: Readonly<Record<string, unknown>>): Texts<Names[number]> => {
    const found = names.map((name) => {
      const value = search[name];
      return [name, isText(value) && value !== '' ? String(value) : undefined];
    });
    return Object.fromEntries(found) as Texts<Names[number]>;
  };
}
