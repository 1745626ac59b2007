import { z } from 'zod';

/** A person as the provider knows it. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Null unless it counts as verified. */
  readonly email: string | null;
  readonly name: string | null;
  /** Texts of the role claim. */
  readonly roles: readonly string[];
}

export type Claims = Readonly<Record<string, unknown>>;

export interface ClaimRules {
  /** The claim that names roles of operators; dots lead into objects. */
  readonly roleClaim: string;
  /** Domains whose addresses count although the provider does not say whether they are verified. */
  readonly emailDomains: readonly string[];
}

const SUBJECT_MAX = 255;
const TEXT_MAX = 1_000;

/** A text that can be stored as it is: no control characters, no half of a surrogate pair. */
const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((value) => value.isWellFormed() && !/\p{Cc}/u.test(value));

const Subject = text(SUBJECT_MAX);
const Text = text(TEXT_MAX);

/** Thrown for a claim whose text nobody can be known by. */
export class ClaimError extends Error {
  override readonly name = 'ClaimError';
}

/** True if the claims lack something that an identity is made of. */
export function lacksClaims(claims: Claims, { roleClaim }: ClaimRules): boolean {
  const isWhole =
    typeof claims['email'] === 'string' &&
    claims['email_verified'] !== undefined &&
    typeof claims['name'] === 'string' &&
    claimAt(claims, roleClaim) !== undefined;
  return !isWhole;
}

/**
 * The person of an ID token. `more`: claims that the provider has sent elsewhere; of a claim in
 * both the token's counts. Claims of another type are left out. Throws ClaimError for a text that
 * is too long or cannot be stored.
 */
export function identityOf(token: Claims, more: Claims, rules: ClaimRules): Identity {
  const sources = [token, more];
  const roles = sources.map((claims) => claimAt(claims, rules.roleClaim));
  const names = sources.map(({ name }) => name).filter((name) => typeof name === 'string');
  return {
    issuer: checked('iss', token['iss'], Text),
    subject: checked('sub', token['sub'], Subject),
    email: emailOf(sources, rules),
    name: names[0] === undefined || names[0] === '' ? null : checked('name', names[0], Text),
    roles: [roles.find((found) => found !== undefined)]
      .flat()
      .filter((role) => typeof role === 'string'),
  };
}

/** An address counts only with what its own source says of it. */
function emailOf(sources: readonly Claims[], rules: ClaimRules): string | null {
  for (const { email, email_verified: isVerified } of sources) {
    if (typeof email !== 'string' || email === '') continue;
    const address = checked('email', email, Text);
    // Some providers write the boolean as a text.
    if (isVerified === true || isVerified === 'true') return address;
    const isUnsaid = isVerified === undefined || isVerified === null;
    if (!isUnsaid) return null;
    if (rules.emailDomains.includes(domainOf(address))) return address;
  }
  return null;
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}

function checked(claim: string, value: unknown, schema: z.ZodType<string>): string {
  const { data } = schema.safeParse(value);
  if (data === undefined) throw new ClaimError(`The claim "${claim}" cannot be used.`);
  return data;
}

/** A claim of this very name, else the one that its dots lead to. */
function claimAt(claims: Claims, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path] ?? undefined;
  return path.split('.').reduce<unknown>(memberOf, claims) ?? undefined;
}

function memberOf(value: unknown, name: string): unknown {
  const isObject = typeof value === 'object' && value !== null;
  return isObject && Object.hasOwn(value, name) ? (value as Claims)[name] : undefined;
}
