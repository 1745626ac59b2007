import { z } from 'zod';

/** Roles of admin tokens: `owner` may do everything, the others what the operations allow. */
export const ROLES = ['owner', 'billing', 'support', 'data'] as const;

export const AdminRole = z.enum(ROLES).meta({ id: 'AdminRole' });

export type Role = (typeof ROLES)[number];
