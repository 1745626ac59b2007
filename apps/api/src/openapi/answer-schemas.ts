import { shareOf, SOURCES } from '#popularity/sources.js';
import type { Schema } from '#web/openapi-document.js';

const credits: Schema = { type: 'integer', minimum: 0 };
const uuid: Schema = { type: 'string', format: 'uuid' };
const share: Schema = { type: ['number', 'null'], minimum: 0, maximum: 1 };

const figures = {
  rank: { type: 'integer', minimum: 1, description: '1 is the highest.' },
  popularity: { type: 'number', description: 'Mean of the latest 12 months.' },
  yoy_percent_increase: percent('the 12 months before'),
  yoy_absolute_increase: absolute('the 12 months before'),
  qoq_percent_increase: percent('the quarter before'),
  qoq_absolute_increase: absolute('the quarter before'),
  mom_percent_increase: percent('the month before'),
  mom_absolute_increase: absolute('the month before'),
};

const costs = {
  call_cost: { ...credits, description: 'Credits for the call itself.' },
  data_cost: { ...credits, description: 'Credits for the data; 0 when it is paid for already.' },
};

const dashboard: Schema = { type: 'string', format: 'uri' };

function percent(than: string): Schema {
  return { type: ['number', 'null'], description: `Change in percent against ${than}.` };
}

function absolute(than: string): Schema {
  return { type: ['integer', 'null'], description: `Change against ${than}.` };
}

function strict(properties: Readonly<Record<string, Schema>>, further: Schema = {}): Schema {
  return {
    type: 'object',
    required: Object.keys(properties),
    additionalProperties: false,
    properties,
    ...further,
  };
}

function list(item: string): Schema {
  return { type: 'array', minItems: 1, items: { $ref: `#/components/schemas/${item}` } };
}

function envelope(data: string): Schema {
  return strict({
    key: {
      type: 'string',
      pattern: '^/v1/\\d{4}w\\d{2}/',
      description: 'The resource key: what was charged, with the label of the week.',
    },
    credits_used: { ...credits, description: 'Charged for this call: call_cost + data_cost.' },
    data: { $ref: `#/components/schemas/${data}` },
  });
}

/** Named by level: `cat2_id`, `cat2_label`. */
const LEVEL_ID = { '^cat[1-5]_id$': uuid };
const LEVEL_LABEL = { '^cat[1-5]_label$': { type: 'string' } };

/** Schemas of metered answers (specification 2), with the sources of the service. */
export function answerSchemas(): Readonly<Record<string, Schema>> {
  return { ...ENVELOPES, ...itemSchemas() };
}

const ENVELOPES: Readonly<Record<string, Schema>> = {
  RelatedTrendsAnswer: envelope('RelatedTrends'),
  TimeSeriesAnswer: envelope('TimeSeries'),
  TrendsAnswer: envelope('TrendsListing'),
  BrandsAnswer: envelope('BrandsListing'),
  RelatedTrends: strict(
    {
      dashboard,
      trends: {
        type: 'array',
        minItems: 1,
        items: {
          oneOf: [
            { $ref: '#/components/schemas/TrendItem' },
            { $ref: '#/components/schemas/RelatedTrendItem' },
          ],
        },
      },
      ...costs,
    },
    { patternProperties: LEVEL_ID, minProperties: 5 },
  ),
  TrendsListing: strict(
    { dashboard, trends: list('TrendItem'), ...costs },
    { patternProperties: { ...LEVEL_ID, ...LEVEL_LABEL }, minProperties: 6 },
  ),
  BrandsListing: strict(
    { dashboard, brands: list('BrandItem'), ...costs },
    { patternProperties: { ...LEVEL_ID, ...LEVEL_LABEL }, minProperties: 6 },
  ),
  TimeSeries: strict(
    { dashboard, timeseries: list('TimeSeriesPoint'), ...costs },
    { patternProperties: { '^(?:cat5|brand)_id$': uuid }, minProperties: 5 },
  ),
  TimeSeriesPoint: strict({
    date: { type: 'string', format: 'date', description: 'The first day of a month.' },
    real_volume: { type: 'number' },
  }),
};

function itemSchemas(): Readonly<Record<string, Schema>> {
  const shares = SOURCES.map((source) => [shareOf(source), share] as const);
  const all = { ...figures, ...Object.fromEntries(shares) };
  return {
    TrendItem: strict({ cat5_id: uuid, cat5_label: { type: 'string' }, ...all }),
    RelatedTrendItem: strict({
      related_trend_id: uuid,
      related_trend_label: { type: 'string' },
      life_cycle: { type: ['string', 'null'] },
      ...all,
    }),
    BrandItem: strict({ brand_id: uuid, brand_label: { type: 'string' }, ...all }),
  };
}
