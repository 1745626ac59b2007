/** JSON with the members of every object in the order of their names; nothing at all is an empty text. */
export function canonicalJson(value: unknown): string {
  return value === undefined ? '' : JSON.stringify(value, sortMembers);
}

function sortMembers(_name: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value);
  return Object.fromEntries(members.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
