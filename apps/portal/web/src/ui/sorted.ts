/** A sort as it stands in an address: a column's name, with `-` before it the largest first. */
export function sortOf(sort: string): { readonly name: string; readonly isDescending: boolean } {
  const isDescending = sort.startsWith('-');
  return { name: isDescending ? sort.slice(1) : sort, isDescending };
}

/** The sort after a click on a column: numbers begin with the largest, and then it turns round. */
export function nextSort(sort: string, name: string, isNumber: boolean): string {
  if (sortOf(sort).name !== name) return isNumber ? `-${name}` : name;
  return sort === name ? `-${name}` : name;
}

/** Rows by a value of theirs, those without one last; as they come where no column is named. */
export function sorted<Row>(
  rows: readonly Row[],
  sort: string,
  valueOf: (row: Row, name: string) => string | number | null | undefined,
): readonly Row[] {
  const { name, isDescending } = sortOf(sort);
  if (name === '') return rows;
  return rows.toSorted((one, other) => {
    const [a, b] = [valueOf(one, name) ?? null, valueOf(other, name) ?? null];
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const order = typeof a === 'string' ? a.localeCompare(String(b), 'en') : a - Number(b);
    return isDescending ? -order : order;
  });
}
