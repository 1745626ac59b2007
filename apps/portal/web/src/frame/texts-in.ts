type Texts<Name extends string> = { readonly [name in Name]?: string | undefined };

/**
 * Reads members of an address's search that are texts. Wrong ones are there as undefined: the
 * router would hand on what an address holds beside what was read.
 */
export function textsIn<const Names extends readonly string[]>(...names: Names) {
  return (search: Readonly<Record<string, unknown>>): Texts<Names[number]> => {
    const found = names.map((name) => {
      const value = search[name];
      return [name, typeof value === 'string' && value !== '' ? value : undefined];
    });
    return Object.fromEntries(found) as Texts<Names[number]>;
  };
}
