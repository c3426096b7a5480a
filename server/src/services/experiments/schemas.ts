import Type, { type Static } from 'typebox'
import { Instant, Nullable } from '../../ground/http/schemas.ts'

const closed = { additionalProperties: false }
const Name = Type.String({ minLength: 1, maxLength: 200 })
const Column = Type.String({ minLength: 1, maxLength: 63 })

const EventSource = Type.Object(
  {
    type: Type.Literal('events'),
    event: Name,
    property: Nullable(Name, { description: 'Whose number is summed; null to count events' }),
  },
  closed,
)
const RowSource = Type.Object(
  {
    type: Type.Literal('rows'),
    table: Type.String({ minLength: 1, maxLength: 127, description: '`table` or `schema.table`' }),
    userColumn: Column,
    timeColumn: Column,
    valueColumn: Nullable(Column, { description: 'Whose number is summed; null to count rows' }),
  },
  closed,
)

/** What is measured of each person after they were first shown a variant. */
export const Metric = Type.Object(
  {
    name: Name,
    kind: Type.Enum(['conversion', 'mean'], {
      description: 'Whether a person did it at all, or how much of it on the average of all persons',
    }),
    windowHours: Nullable(Type.Integer({ minimum: 1, maximum: 8_760 }), {
      description: 'How long after the first exposure it counts; null until the end',
    }),
    source: Type.Union([EventSource, RowSource]),
  },
  { ...closed, $id: 'ExperimentMetric' },
)
export type Metric = Static<typeof Metric>

export const ExperimentBody = Type.Object(
  {
    name: Name,
    hypothesis: Type.String({ maxLength: 4_000 }),
    flagKey: Type.String({ minLength: 1, maxLength: 200 }),
    metrics: Type.Array(Metric, { minItems: 1, maxItems: 10 }),
  },
  closed,
)
export type ExperimentBody = Static<typeof ExperimentBody>

export const Conclusion = Type.Object(
  {
    variant: Nullable(Type.String({ maxLength: 400 }), { description: 'That was chosen; null for none' }),
    note: Type.String({ maxLength: 4_000 }),
  },
  closed,
)
export type Conclusion = Static<typeof Conclusion>

export const ExperimentSchema = Type.Object(
  {
    ...ExperimentBody.properties,
    id: Type.String({ format: 'uuid' }),
    version: Type.Integer(),
    state: Type.Enum(['draft', 'running', 'ended']),
    startedAt: Nullable(Instant),
    endedAt: Nullable(Instant),
    conclusion: Nullable(Conclusion),
    updatedAt: Instant,
    updatedBy: Type.String(),
  },
  { $id: 'Experiment' },
)
export type ExperimentSchema = Static<typeof ExperimentSchema>

const Interval = Type.Object({ low: Type.Number(), high: Type.Number() })

const MetricVariant = Type.Object({
  key: Type.String(),
  persons: Type.Integer(),
  converted: Nullable(Type.Integer(), { description: 'Of a conversion: persons who did it' }),
  estimate: Nullable(Type.Number(), { description: 'A share from 0 to 1, or a mean; null without enough persons' }),
  interval: Nullable(Interval, { description: 'Where it lies at 95 %' }),
  difference: Nullable(Type.Object({ estimate: Type.Number(), low: Type.Number(), high: Type.Number() }), {
    description: 'To the control, with its interval at 95 %; null of the control itself',
  }),
  chanceToBeat: Nullable(Type.Number(), {
    description: 'The chance that it is above the control; null of the control',
  }),
})
export type MetricVariant = Static<typeof MetricVariant>

export const ExperimentResult = Type.Object(
  {
    until: Instant,
    control: Type.String(),
    persons: Type.Integer({ description: 'Persons who saw one variant alone' }),
    mixed: Type.Integer({ description: 'Persons who saw several variants: they are in no figure' }),
    variants: Type.Array(Type.Object({ key: Type.String(), persons: Type.Integer(), expectedShare: Type.Number() }), {
      description: 'Exposure, beside the shares that the flag gives',
    }),
    mismatch: Nullable(Type.Number(), {
      description:
        'The chance of such a split, or a more uneven one, if the shares held; below 0.001 something is wrong',
    }),
    metrics: Type.Array(
      Type.Object({
        name: Type.String(),
        kind: Type.Enum(['conversion', 'mean']),
        unattributed: Type.Integer({ description: 'Ids that did it and were shown no variant before' }),
        variants: Type.Array(MetricVariant),
      }),
    ),
  },
  { $id: 'ExperimentResult' },
)
export type ExperimentResult = Static<typeof ExperimentResult>
