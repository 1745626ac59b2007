import type { FormFaults } from '../rest/problem.js';
import { Notice } from './notice.js';

/** Faults of a form that belong to none of its fields. */
export function FormFaultsNotice({ faults }: { readonly faults: FormFaults }) {
  if (faults.rest.length === 0) return null;
  return (
    <Notice tone="bad">
      {faults.rest.map((fault) => (
        <p key={fault}>{fault}</p>
      ))}
    </Notice>
  );
}
