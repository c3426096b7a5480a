import { type Static, Type } from 'typebox'
import { Instant, Nullable, RowVersion } from '../../../ground/http/schemas.ts'
import { FlagFilters } from '../definition/schema.ts'

/** A constant, and first: a type would be coerced, and turn null into a text. */
const nothing = Type.Unsafe<null>({ const: null })

const Runtime = Type.Union([Type.Literal('all'), Type.Literal('client'), Type.Literal('server')])
const Bucketing = Type.Union([Type.Literal('distinct_id'), Type.Literal('device_id')])

const Value = Type.Union([Type.Boolean(), Type.String({ maxLength: 400 })], {
  description: 'Off, on, or the key of a variant',
})

const EarlyAccessSchema = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    stage: Type.Union([
      Type.Literal('concept'),
      Type.Literal('alpha'),
      Type.Literal('beta'),
      Type.Literal('general-availability'),
    ]),
    documentationUrl: Type.Union([nothing, Type.String({ maxLength: 2_000 })]),
  },
  { $id: 'EarlyAccess', description: 'What users are told of a feature that they switch on for themselves' },
)

/** Checked by `checkFlag`: the reader of bodies coerces, and would turn a rollout of null into 0. */
const SentFilters = Type.Unsafe<FlagFilters>(
  Type.Object({}, { additionalProperties: true, description: 'As `filters` of a flag' }),
)

const inputs = {
  description: Type.String({ maxLength: 4_000 }),
  active: Type.Boolean(),
  filters: FlagFilters,
  keepsBucket: Type.Boolean({ description: 'Whether persons keep their value when they identify themselves' }),
  bucketing: Bucketing,
  runtime: Runtime,
  contexts: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 20 }),
  earlyAccess: Type.Union([nothing, EarlyAccessSchema]),
}

export const FlagKey = Type.String({ minLength: 1, maxLength: 200, pattern: '^[A-Za-z0-9_.:/-]+$' })

const sent = { ...inputs, filters: SentFilters }

export const NewFlagBody = Type.Object({ key: FlagKey, ...sent })
export const FlagChangeBody = Type.Object({ ...sent, version: RowVersion })

export const FlagSchema = Type.Object(
  {
    ...{ id: Type.Integer(), key: Type.String(), ...inputs },
    hasExperiment: Type.Boolean(),
    version: Type.Integer(),
    createdAt: Instant,
    updatedAt: Instant,
    updatedBy: Type.String(),
    remoteOnly: Type.Boolean({ description: 'Whether only the server evaluates it, and no client by definitions' }),
  },
  { $id: 'Flag' },
)

export const FlagSummary = Type.Object(
  {
    key: Type.String(),
    description: Type.String(),
    active: Type.Boolean(),
    conditions: Type.Integer(),
    rollout: Nullable(Type.Number(), { description: 'Per cent of the widest condition; null without one' }),
    isTargeted: Type.Boolean({ description: 'Whether the widest conditions all have filters' }),
    variants: Type.Array(Type.Object({ key: Type.String(), share: Type.Number() })),
    updatedAt: Instant,
    updatedBy: Type.String(),
  },
  { $id: 'FlagSummary' },
)

const ArchivedFlag = Type.Object(
  {
    id: Type.Integer({ description: 'By which it is restored: another flag may have its key' }),
    key: Type.String(),
    description: Type.String(),
    archivedAt: Instant,
    archivedBy: Type.String(),
  },
  { $id: 'ArchivedFlag' },
)

export const ArchivePage = Type.Object({
  flags: Type.Array(ArchivedFlag),
  hasMore: Type.Boolean({ description: 'Whether there are more than are answered: narrow them by a text' }),
})

const FlagChange = Type.Object(
  {
    version: Type.Integer(),
    changedAt: Instant,
    changedBy: Type.String(),
    changed: Type.Array(Type.String(), { description: 'What the change touched; all of a new flag' }),
    flag: Type.Unknown({ description: 'The flag as it was after the change' }),
  },
  { $id: 'FlagChange' },
)

export const ChangesPage = Type.Object({
  changes: Type.Array(FlagChange),
  next: Nullable(Type.Integer(), { description: 'Send it as `before` for the next page' }),
})

export const Estimate = Type.Object(
  {
    groupType: Nullable(Type.String(), { description: 'The type of groups that the flag counts; null: persons' }),
    asked: Type.Integer({ description: 'Stored persons, or groups, that were asked for, those seen latest first' }),
    on: Type.Integer(),
    unknown: Type.Integer({
      description: 'Those whose value depends on more than is stored of them, or on a table that cannot be read',
    }),
    variants: Type.Record(Type.String(), Type.Integer()),
    some: Type.Array(Type.String(), {
      description: 'Distinct ids, or keys, of some that get it; none for those who may not read data',
    }),
  },
  { $id: 'FlagEstimate' },
)

export const Evaluation = Type.Object(
  {
    value: Value,
    code: Type.String(),
    reason: Type.String(),
    conditionIndex: Nullable(Type.Integer()),
    failed: Type.Boolean(),
    payload: Nullable(Type.String()),
    isKnown: Type.Boolean({ description: 'Whether there is a person with this id' }),
    properties: Type.Unknown({ description: 'What is stored of the person' }),
  },
  { $id: 'FlagEvaluation' },
)

export const DraftBody = Type.Object({
  filters: Type.Optional(SentFilters),
  active: Type.Optional(Type.Boolean()),
})

export const PersonBody = Type.Object({
  distinctId: Type.String({ minLength: 1, maxLength: 200 }),
  groups: Type.Optional(
    Type.Record(Type.String({ maxLength: 200 }), Type.String({ minLength: 1, maxLength: 400 }), {
      maxProperties: 10,
      description: 'That a client would name with its question: keys by their types',
    }),
  ),
  draft: Type.Optional(DraftBody),
})

/** Null takes the value away. Constants: a text `true` is the key of a variant. */
export const SentValue = Type.Union([
  nothing,
  Type.Unsafe<true>({ const: true }),
  Type.Unsafe<false>({ const: false }),
  Type.String({ maxLength: 400 }),
])

export const OverridesPage = Type.Object({
  overrides: Type.Array(Type.Object({ distinctId: Type.String(), value: Value })),
})

export const CohortSchema = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    filters: Nullable(Type.Unknown(), { description: 'Null for a list of persons' }),
    members: Type.Integer(),
    updatedAt: Instant,
    updatedBy: Type.String(),
  },
  { $id: 'Cohort' },
)

export const CohortBody = Type.Object({
  name: Type.String({ minLength: 1, maxLength: 200 }),
  filters: Nullable(Type.Object({}, { additionalProperties: true })),
})

export const CohortChangeBody = Type.Object({
  ...CohortBody.properties,
  replaces: Type.String({ format: 'date-time', description: 'The `updatedAt` that the change is made of' }),
})

export const CohortDraftBody = Type.Object({ filters: Type.Object({}, { additionalProperties: true }) })

export const CohortEstimate = Type.Object(
  {
    persons: Type.Integer({ description: 'Stored persons that were asked for, the latest first' }),
    inside: Type.Integer(),
    some: Type.Array(Type.String(), {
      description: 'Distinct ids of some of them; none for those who may not read data',
    }),
  },
  { $id: 'CohortEstimate' },
)
export type CohortEstimate = Static<typeof CohortEstimate>

export const MembersBody = Type.Object({
  distinctIds: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 10_000 }),
})

export const MembersPage = Type.Object({
  distinctIds: Type.Array(Type.String()),
  next: Nullable(Type.String(), { description: 'Send it as `after` for the next page' }),
})

export type FlagSummary = Static<typeof FlagSummary>
export type FlagSchema = Static<typeof FlagSchema>
export type ArchivePage = Static<typeof ArchivePage>
export type ChangesPage = Static<typeof ChangesPage>
export type Estimate = Static<typeof Estimate>
export type Evaluation = Static<typeof Evaluation>
export type DraftBody = Static<typeof DraftBody>
