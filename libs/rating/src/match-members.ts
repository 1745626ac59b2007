import { PARAMETERS, RESOURCE_NAMES } from './resource.js';
import type { Form, MemberOf, Parameter, ParameterName } from './resource.js';

/** Parameters of paths whose members can be matched. */
export type MatchedParameter = {
  [Name in ParameterName]: (typeof PARAMETERS)[Name]['matched'] extends true ? Name : never;
}[ParameterName];

/** By what the rules of a rate card may match. */
export type MatchMember = 'resource' | MemberOf<MatchedParameter>;

/** The values of each member, in the order of the list. */
export const MATCH_FORMS = matchForms();
export const MATCH_MEMBERS = Object.keys(MATCH_FORMS) as readonly MatchMember[];

function matchForms(): Readonly<Record<MatchMember, Form>> {
  const forms: Record<string, Form> = { resource: RESOURCE_NAMES };
  for (const { member, form, matched } of Object.values<Parameter>(PARAMETERS)) {
    if (!matched) continue;
    const known = forms[member];
    forms[member] = known === undefined ? form : wider(known, form);
  }
  return forms as Record<MatchMember, Form>;
}

/** The form that has the values of both. A UUID is a slug too, and so are all values of lists. */
function wider(one: Form, other: Form): Form {
  if (one === 'uuid') return other;
  if (other === 'uuid') return one;
  if ('slugMax' in one) return 'slugMax' in other && other.slugMax > one.slugMax ? other : one;
  return 'slugMax' in other ? other : ([...new Set([...one, ...other])] as unknown as Form);
}
