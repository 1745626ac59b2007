/** An id like `replaceBudget`: what is done, and to what. */
function partsOf(id: string): { readonly verb: string; readonly noun: string } {
  const end = id.search(/[A-Z]/);
  const noun = id.slice(end);
  return { verb: id.slice(0, end), noun: `${noun.charAt(0).toLowerCase()}${noun.slice(1)}` };
}

function plural(noun: string): string {
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}

/**
 * Group and method of each operation by its id: `replaceBudget` is `budgets.replace`. A group is in
 * the plural if there is a list of it: `getAccount` is `account.get` where there is one account.
 */
export function methodNames(ids: readonly string[]): ReadonlyMap<string, string> {
  const lists = new Set(
    ids.map(partsOf).flatMap(({ verb, noun }) => (verb === 'list' ? [noun] : [])),
  );
  return new Map(
    ids.map((id) => {
      const { verb, noun } = partsOf(id);
      return [id, `${lists.has(plural(noun)) ? plural(noun) : noun}.${verb}`];
    }),
  );
}
