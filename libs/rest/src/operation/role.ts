import { z } from 'zod';

/** What a token may do: `owner` everything, the others what the table of routes says. */
export const ROLES = ['owner', 'billing', 'support', 'data'] as const;

export const AdminRole = z.enum(ROLES).meta({ id: 'AdminRole' });

export type Role = (typeof ROLES)[number];
