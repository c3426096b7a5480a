import Type, { type Static } from 'typebox'
import { Instant, Nullable, RowVersion } from '../../../ground/http/schemas.ts'
import { exportedKinds, exportFormats } from '../deps.ts'

const Kind = Type.Enum([...exportedKinds])
const Format = Type.Enum([...exportFormats])

const bucketFields = {
  endpoint: Nullable(Type.String({ minLength: 1, maxLength: 500 }), {
    description: 'The S3 server; null for Amazon’s',
  }),
  region: Type.String({ pattern: '^[A-Za-z0-9-]{1,40}$' }),
  bucket: Type.String({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$' }),
  prefix: Type.String({
    pattern: '^$|^[A-Za-z0-9._=-]+(/[A-Za-z0-9._=-]+)*$',
    maxLength: 500,
    description: 'Folders in the bucket, without a slash at either end; empty for none',
  }),
  pathStyle: Type.Boolean({ description: 'Whether the bucket is named in the path; Amazon wants it in the host name' }),
  accessKeyId: Type.String({ minLength: 1, maxLength: 200 }),
}

const definitionFields = {
  name: Type.String({ minLength: 1, maxLength: 80, pattern: '\\S' }),
  kinds: Type.Array(Kind, { minItems: 1, uniqueItems: true }),
  format: Format,
  schedule: Type.String({ minLength: 1, maxLength: 100, description: 'Five fields as in cron, in UTC' }),
  ...bucketFields,
}

const Secret = Type.Optional(
  Type.String({ minLength: 1, maxLength: 500, description: 'Never answered; absent to keep the one that there is' }),
)

/** What is defined of an export. */
export const ExportBody = Type.Object({ ...definitionFields, secretAccessKey: Secret })

/** An export defined anew. */
export const ExportChangeBody = Type.Object({ version: RowVersion, export: ExportBody })

/** A bucket to be tested, with the kept secret of an export where none is given. */
export const BucketBody = Type.Object({
  ...bucketFields,
  secretAccessKey: Secret,
  id: Type.Optional(Type.String({ format: 'uuid' })),
})

export const ExportRunSchema = Type.Object(
  {
    id: Type.String(),
    askedBy: Nullable(Type.String(), { description: 'E-mail address of the operator; null for the schedule' }),
    until: Type.Unsafe<string>({ ...Instant, description: 'It exports what was stored before then' }),
    state: Type.Enum(['running', 'waiting', 'done', 'failed'], {
      description: '`waiting`: it is tried again at `retryAt`',
    }),
    kinds: Type.Array(Type.Object({ kind: Kind, files: Type.Integer(), rows: Type.Integer(), bytes: Type.Integer() }), {
      description: 'What was written of each kind so far',
    }),
    writing: Nullable(Type.String(), { description: 'The object that is being written' }),
    retryAt: Nullable(Instant),
    startedAt: Instant,
    endedAt: Nullable(Instant),
    error: Nullable(Type.String(), { description: 'Of the last attempt' }),
    attemptsFailed: Type.Integer({ description: 'Of the whole run, also of one that is done' }),
    lastFailure: Nullable(Type.String(), { description: 'What the last of them failed at' }),
  },
  { $id: 'ExportRun' },
)
export type ExportRunSchema = Static<typeof ExportRunSchema>

export const ExportSchema = Type.Object(
  {
    id: Type.String(),
    ...definitionFields,
    scheduleWords: Nullable(Type.String()),
    paused: Type.Boolean(),
    nextAt: Nullable(Instant, { description: 'Null while it is paused' }),
    createdAt: Instant,
    createdBy: Type.String(),
    version: Type.Integer(),
    updatedAt: Instant,
    updatedBy: Type.String({ description: 'E-mail address of the operator who defined it last' }),
    lastRun: Nullable(ExportRunSchema),
  },
  { $id: 'ScheduledExport' },
)
export type ExportSchema = Static<typeof ExportSchema>
