import { PARAMETERS, RESOURCE_NAMES, RESOURCES } from './resource.js';
import type { Form, Member, Parameter, ParameterName, Resource } from './resource.js';
import type { ResourceName } from './resource.js';

const START = ['', 'v1'];

/** Where a parameter stands in a path, counted in segments: 0 is what is before the first slash. */
export interface Slot {
  readonly at: number;
  readonly name: ParameterName;
  readonly member: Member;
  readonly form: Form;
  /** The text of the key between the value before it and its own. */
  readonly before: string;
}

/** The form of a path: one for each resource, and another one without its window. */
export interface Shape {
  readonly resource: ResourceName;
  /** Whether the window's segment is left out. */
  readonly short: boolean;
  readonly length: number;
  readonly literals: readonly (readonly [at: number, text: string])[];
  readonly slots: readonly Slot[];
  /** The resource with all of its members, which have no value yet. */
  readonly blank: Resource;
}

/** The shape of each resource's key. */
export const KEY_SHAPES = Object.fromEntries(
  RESOURCE_NAMES.map((name) => [name, shapeOf(name, false)]),
) as Readonly<Record<ResourceName, Shape>>;

const SHORT_SHAPES = RESOURCE_NAMES.filter((name) => RESOURCES[name].mayOmitWindow).map((name) =>
  shapeOf(name, true),
);

/** By their number of segments, those of keys before the short ones. */
const SHAPES: readonly (readonly Shape[] | undefined)[] = byLength([
  ...Object.values(KEY_SHAPES),
  ...SHORT_SHAPES,
]);

/**
 * The shape that the literal segments make. No valid path can be read in two ways: where two shapes
 * have the same number of segments, a literal of one is no value of the other. So a path with the
 * literals of both is refused, as one of the first shape.
 */
export function shapeOfPath(segments: readonly string[]): Shape | undefined {
  if (segments[0] !== '' || segments[1] !== 'v1') return undefined;
  const shapes = SHAPES[segments.length];
  if (shapes === undefined) return undefined;
  for (const shape of shapes) if (hasLiterals(shape, segments)) return shape;
  return undefined;
}

function hasLiterals({ literals }: Shape, segments: readonly string[]): boolean {
  for (const [at, text] of literals) if (segments[at] !== text) return false;
  return true;
}

function shapeOf(resource: ResourceName, short: boolean): Shape {
  const start = short ? START : [...START, 'window'];
  const segments = RESOURCES[resource].path.split('/');
  const literals: [number, string][] = [];
  const slots: Slot[] = [];
  let before = '/';
  for (const [index, segment] of segments.entries()) {
    const at = start.length + index;
    const name = /^\{(.*)\}$/.exec(segment)?.[1];
    if (name === undefined) {
      literals.push([at, segment]);
      before += `${segment}/`;
    } else {
      slots.push({ at, before, ...slotOf(name) });
      before = '/';
    }
  }
  const members = slots.map(({ member }) => [member, '']);
  const blank = { resource, ...Object.fromEntries(members) } as unknown as Resource;
  return { resource, short, length: start.length + segments.length, literals, slots, blank };
}

function slotOf(name: string): Pick<Slot, 'name' | 'member' | 'form'> {
  const parameters: Readonly<Record<string, Parameter>> = PARAMETERS;
  const found = parameters[name];
  if (found === undefined) throw new Error(`{${name}} is no parameter.`);
  return { name: name as ParameterName, member: found.member as Member, form: found.form };
}

function byLength(shapes: readonly Shape[]): readonly (readonly Shape[] | undefined)[] {
  const found: Shape[][] = [];
  for (const shape of shapes) (found[shape.length] ??= []).push(shape);
  return found;
}
