import { isWindowLabel } from '#calendar/window-label.js';
import { NOT_DECODED } from './path-fault.js';
import type { PathFault } from './path-fault.js';
import { PathValues } from './path-values.js';
import { shapeOfPath } from './path-shapes.js';
import type { Form, Member, Resource } from './resource.js';

const LATEST = 'latest';
const WINDOW_AT = 2;

/** Whether a text is the label of a week that exists. */
export type LabelCheck = (text: string) => boolean;

/** Lists of values that a service narrows members to. */
export type ServedValues = Readonly<Partial<Record<Member, Form>>>;

export type PathOutcome =
  | {
      readonly outcome: 'resource';
      /** `latest` or the label of a week that exists. */
      readonly window: string;
      /** True for the listing shape without the window's segment. */
      readonly short: boolean;
      readonly resource: Resource;
    }
  | { readonly outcome: 'not-found' }
  | { readonly outcome: 'invalid'; readonly parameters: readonly PathFault[] };

/**
 * Reads the path of a metered resource (specification 4, with a week's label accepted in place of
 * `latest`), exactly as sent: nothing is decoded, no dot segment resolved.
 *
 * The literal segments decide the shape; a path of no shape, with an empty segment or a trailing
 * slash is `not-found`. In a path of a known shape all wrong values are named at once. A `%` is
 * always `invalid`, since it would be a second spelling of what is charged. `path` is the request
 * target without its query. `served`: the values of a service; without it, as for the keys that
 * are stored, any that can be one.
 */
export function parseResourcePath(
  path: string,
  isLabel: LabelCheck = isWindowLabel,
  served: ServedValues = {},
): PathOutcome {
  const segments = path.split('/');
  const shape = segments.includes('', 1) ? undefined : shapeOfPath(segments);
  if (shape === undefined) return path.includes('%') ? encoded(path) : { outcome: 'not-found' };
  const { short, slots } = shape;
  const values = new PathValues();
  const window = short ? LATEST : values.window('window', segments[WINDOW_AT] ?? '', isLabel);
  const resource: Record<string, string> = { ...shape.blank };
  for (const { at, name, member, form } of slots) {
    resource[member] = values.read(name, served[member] ?? form, segments[at] ?? '');
  }
  if (values.faults.length > 0) return { outcome: 'invalid', parameters: values.faults };
  return { outcome: 'resource', window, short, resource: resource as unknown as Resource };
}

/** The resource of a path of the popularity index; undefined where it has another form. */
export function resourceOfPath(path: string): Resource | undefined {
  const parsed = parseResourcePath(path);
  return parsed.outcome === 'resource' ? parsed.resource : undefined;
}

function encoded(path: string): PathOutcome {
  return {
    outcome: 'invalid',
    parameters: [{ in: 'path', name: 'path', value: path, detail: NOT_DECODED }],
  };
}
