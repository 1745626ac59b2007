import fc from 'fast-check';
import { KEY_SHAPES } from './path-shapes.js';
import { RESOURCE_NAMES, type Form, type Resource, type ResourceName } from './resource.js';

/** Values of a form; of slugs also those that the first rate card names. */
function valuesOf(form: Form): fc.Arbitrary<string> {
  if (form === 'uuid') return fc.uuid();
  if (!('slugMax' in form)) return fc.constantFrom(...form);
  const slugs = fc.stringMatching(new RegExp(`^[a-z0-9-]{1,${form.slugMax}}$`));
  return fc.oneof(slugs, fc.constantFrom('beauty', 'skincare'));
}

/** Those that every service of a test has. */
const regions = fc.constantFrom('us', 'gb', 'fr', 'kr', 'jp', 'global');

function resourceOf(name: ResourceName): fc.Arbitrary<Resource> {
  const members = KEY_SHAPES[name].slots.map(({ member, form }) => [
    member,
    member === 'region' ? regions : valuesOf(form),
  ]);
  const resource = { resource: fc.constant(name), ...Object.fromEntries(members) };
  return fc.record(resource) as unknown as fc.Arbitrary<Resource>;
}

/** Any resource that a metered path can name, for properties. */
export const anyResource: fc.Arbitrary<Resource> = fc.oneof(...RESOURCE_NAMES.map(resourceOf));
