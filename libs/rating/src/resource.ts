export const LEVELS = ['cat1', 'cat2', 'cat3', 'cat4', 'cat5'] as const;
export const SERIES_TYPES = ['cat5', 'brand'] as const;
export const LIMITS = ['top5', 'top100', 'all'] as const;

/** Names of groups and codes of regions are short; slugs of categories come from a data set. */
const REGION_LENGTH_MAX = 16;
const GROUP_LENGTH_MAX = 64;
const SLUG_LENGTH_MAX = 200;

/** A closed list of values, a UUID in lower case, or a slug of at most so many characters. */
export type Form = readonly [string, ...string[]] | 'uuid' | { readonly slugMax: number };

/** A parameter in the paths of metered resources. */
export interface Parameter {
  /** The member of the resource that it gives. */
  readonly member: string;
  readonly form: Form;
  /** Whether the rules of rate cards may match by the member. */
  readonly matched: boolean;
  readonly description: string;
  readonly example: string;
  /** Values as people read them; a value without a label is its own. */
  readonly labels?: Readonly<Record<string, string>>;
}

const ITEM = 'b2a6a7d0-6c4e-4a56-9d0b-2f1d1f6d2c02';

/** By their names in paths. Rate cards and the console list members in this order. */
export const PARAMETERS = {
  level: {
    member: 'level',
    form: LEVELS,
    matched: true,
    description: 'Level of the category.',
    example: 'cat2',
  },
  type: {
    member: 'type',
    form: SERIES_TYPES,
    matched: true,
    description: 'A category or a brand.',
    example: 'cat5',
  },
  limit: {
    member: 'limit',
    form: LIMITS,
    matched: true,
    description: 'How many rows. `top5` is meant for previews.',
    example: 'top5',
    labels: { top5: 'top 5', top100: 'top 100' },
  },
  region: {
    member: 'region',
    // Which regions there are is a setting of a service: its keys and rate cards are read without.
    form: { slugMax: REGION_LENGTH_MAX },
    matched: true,
    description: 'The region.',
    example: 'us',
  },
  group: {
    member: 'group',
    form: { slugMax: GROUP_LENGTH_MAX },
    matched: true,
    description: 'The related group.',
    example: 'ingredients',
  },
  category_id: {
    member: 'category',
    form: 'uuid',
    matched: true,
    description: 'Id of the category, in any case.',
    example: ITEM,
  },
  category_name: {
    member: 'category',
    form: { slugMax: SLUG_LENGTH_MAX },
    matched: true,
    description: 'Slug of the category at that level.',
    example: 'skincare',
  },
  item_id: {
    member: 'item',
    form: 'uuid',
    matched: false,
    description: 'Id of the category or brand, in any case.',
    example: ITEM,
  },
} as const satisfies Readonly<Record<string, Parameter>>;

export type ParameterName = keyof typeof PARAMETERS;
export type MemberOf<Name extends ParameterName> = (typeof PARAMETERS)[Name]['member'];

/** The values of a parameter's member. */
export type ValueOf<Name extends ParameterName> =
  (typeof PARAMETERS)[Name]['form'] extends readonly (infer Value)[] ? Value : string;

/** A member of a resource; several parameters may give the same one. */
export type Member = MemberOf<ParameterName>;

/** A value of a parameter as people read it. */
export function labelOf(name: ParameterName, value: string): string {
  const { labels }: Parameter = PARAMETERS[name];
  return labels?.[value] ?? value;
}

export type Level = (typeof LEVELS)[number];
export type Limit = (typeof LIMITS)[number];

/** One metered resource (specification 4). */
interface MeteredResource {
  /**
   * Behind `/v1/` and the window: parameters in braces, and literals, of which the resource's name
   * is the first and stands behind one parameter. Keys are stored: a path is never changed.
   */
  readonly path: string;
  /** Whether the window's segment may be left out, which then is `latest`. */
  readonly mayOmitWindow: boolean;
  readonly label: string;
  readonly summary: string;
  readonly description: string;
  /** The member of the answer's data that holds its rows. */
  readonly list: string;
}

/** Every metered resource, by its name. */
export const RESOURCES = {
  'related-trends': {
    path: '{level}/related-trends/{limit}/popindex/{region}/{category_id}/{group}',
    mayOmitWindow: false,
    label: 'Related trends',
    summary: 'The most popular items related to a category',
    description:
      'Items that the relations of the category, or of those below it, name in one group, by popularity ' +
      'in the region. At `cat5` each item has its stage in the life cycle.',
    list: 'trends',
  },
  timeseries: {
    path: '{type}/timeseries/popindex/{region}/{item_id}',
    mayOmitWindow: false,
    label: 'Time series',
    summary: 'Volume over time of a category or brand',
    description: 'One point for each month with data in the region, oldest first.',
    list: 'timeseries',
  },
  trends: {
    path: '{level}/trends/{limit}/popindex/{region}/{category_name}',
    mayOmitWindow: true,
    label: 'Trends',
    summary: 'The trends below a category by popularity',
    description:
      'The cat5 trends below the category, each with its rank, popularity, changes and shares by ' +
      'platform. `top5` and `top100` hold the first of them.',
    list: 'trends',
  },
  brands: {
    path: '{level}/brands/{limit}/popindex/{region}/{category_name}',
    mayOmitWindow: true,
    label: 'Brands',
    summary: 'The brands below a category by popularity',
    description:
      'The brands below the category, each with its rank, popularity, changes and shares by platform. ' +
      '`top5` and `top100` hold the first of them.',
    list: 'brands',
  },
} as const satisfies {
  readonly [Name in string]: MeteredResource & { readonly path: `{${string}}/${string}` };
};

export type ResourceName = keyof typeof RESOURCES;
export const RESOURCE_NAMES = Object.keys(RESOURCES) as [ResourceName, ...ResourceName[]];

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The names of the parameters of resources. */
export type ParametersOf<Name extends ResourceName> = ParameterName &
  NamesIn<(typeof RESOURCES)[Name]['path']>;

/** The names of the resources that have the same parameters. */
type SameParameters<Name extends ResourceName> = {
  [Other in ResourceName]: [ParametersOf<Other>, ParametersOf<Name>] extends [
    ParametersOf<Name>,
    ParametersOf<Other>,
  ]
    ? Other
    : never;
}[ResourceName];

/** Resources of these names. UUIDs are in lower case. */
export type ResourceOf<Name extends ResourceName> = { readonly resource: Name } & {
  readonly [Parameter in ParametersOf<Name> as MemberOf<Parameter>]: ValueOf<Parameter>;
};

export type RelatedTrends = ResourceOf<'related-trends'>;
export type TimeSeries = ResourceOf<'timeseries'>;
/** Whatever has the parameters of trends. */
export type Listing = ResourceOf<SameParameters<'trends'>>;

/** The resource of a metered call, without the window: the same in every week. */
export type Resource = { [Name in ResourceName]: ResourceOf<SameParameters<Name>> }[ResourceName];
