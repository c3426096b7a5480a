import { type Static, Type } from 'typebox'
import { Instant, Nullable } from '../../../ground/http/schemas.ts'
import { percentiles, ratings, vitalRanges, vitals } from './selection.ts'

export const VitalName = Type.Enum([...vitals])
export const PercentileName = Type.Enum([...percentiles], { default: 'p75' })

const Word = (description: string) => Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))

/** Which measurements are meant. */
export const VitalQuery = {
  range: Type.Enum([...vitalRanges], { default: '7d' }),
  path: Type.Optional(
    Type.String({ minLength: 1, maxLength: 500, description: 'Of the page; `*` stands for any part of it' }),
  ),
  device: Word('Desktop, Mobile or Tablet'),
  browser: Word('As events name it'),
  country: Word('As ISO 3166 has it'),
}

/** A value of a vital: milliseconds, and of CLS a number without a unit. */
const Measure = Nullable(Type.Object({ value: Type.Number(), rating: Type.Enum([...ratings]) }), {
  description: 'In milliseconds, of CLS without a unit; null where nothing was measured',
})
export type Measure = Static<typeof Measure>

const Percentiles = Type.Object({ p50: Measure, p75: Measure, p90: Measure })

const VitalSummary = Type.Object(
  {
    vital: VitalName,
    views: Type.Integer({ description: 'Measurements that count' }),
    good: Type.Integer(),
    needsImprovement: Type.Integer(),
    poor: Type.Integer(),
    leftOut: Type.Integer({ description: 'Measurements that are no number, or one that cannot be' }),
    percentiles: Percentiles,
  },
  { $id: 'VitalSummary' },
)
export type VitalSummary = Static<typeof VitalSummary>

const Bucket = Type.Object({
  at: Instant,
  vitals: Type.Array(Type.Object({ vital: VitalName, views: Type.Integer(), percentiles: Percentiles })),
})

/** How pages do: their vitals as a whole, and their course. */
export const WebVitals = Type.Object(
  {
    vitals: Type.Array(VitalSummary),
    course: Type.Array(Bucket, { description: 'Stretches of one length, the oldest first' }),
    choices: Type.Object(
      { devices: Type.Array(Type.String()), browsers: Type.Array(Type.String()), countries: Type.Array(Type.String()) },
      { description: 'What there is to filter by in the range' },
    ),
  },
  { $id: 'WebVitals' },
)
export type WebVitals = Static<typeof WebVitals>

/** A path with one percentile of each vital. */
export const VitalPath = Type.Object(
  {
    path: Type.String(),
    views: Type.Integer({ description: 'That were measured' }),
    LCP: Measure,
    INP: Measure,
    CLS: Measure,
    FCP: Measure,
  },
  { $id: 'VitalPath' },
)
export type VitalPath = Static<typeof VitalPath>

/** A visit in which a vital was measured. */
export const VitalVisit = Type.Object(
  {
    id: Type.String({ description: 'Of the event' }),
    at: Type.String({ format: 'date-time', description: 'When the browser sent it' }),
    momentAt: Type.String({
      format: 'date-time',
      description: 'Where to look in the session: of LCP and FCP when the page began, as far as it is known',
    }),
    sessionId: Nullable(Type.String()),
    distinctId: Type.String(),
    person: Nullable(Type.Object({ id: Type.String(), email: Nullable(Type.String()), name: Nullable(Type.String()) })),
    path: Type.String(),
    browser: Nullable(Type.String()),
    os: Nullable(Type.String()),
    device: Nullable(Type.String()),
    country: Nullable(Type.String()),
    measure: Measure,
    element: Nullable(Type.String(), { description: 'A CSS selector of what the browser attributes the value to' }),
    resource: Nullable(Type.String(), { description: 'The address of what was loaded, of an image or a font' }),
    parts: Type.Array(Type.Object({ name: Type.String(), ms: Type.Number() }), {
      description: 'What the time was spent on, as the browser says it',
    }),
  },
  { $id: 'VitalVisit' },
)
export type VitalVisit = Static<typeof VitalVisit>
