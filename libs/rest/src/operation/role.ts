/** What a token may do: `owner` everything, the others what the table of routes says. */
export const ROLES = ['owner', 'billing', 'support', 'data'] as const;

export type Role = (typeof ROLES)[number];
