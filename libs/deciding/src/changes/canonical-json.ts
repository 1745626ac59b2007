/** JSON with the members of every object sorted by name; undefined is an empty text. */
export function canonicalJson(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, sortMembers);
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value);
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
