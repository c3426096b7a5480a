import { type Static, Type } from 'typebox'

const Nullable = <Schema extends Parameters<typeof Type.Union>[0][number]>(
  schema: Schema,
  about: { description?: string } = {},
) => Type.Union([schema, Type.Null()], about)
const Instant = Type.String({ format: 'date-time' })

export const BucketSummary = Type.Object(
  {
    id: Type.String(),
    public: Type.Boolean({ description: 'Whether its objects are downloaded without a token' }),
    fileSizeLimit: Nullable(Type.Integer({ description: 'Bytes of an object at most' })),
    allowedMimeTypes: Type.Array(Type.String(), { description: 'Empty for any' }),
    createdAt: Nullable(Instant),
    objects: Type.Integer({ description: 'As they were when they were counted' }),
    sizeBytes: Type.Integer({ description: 'Of all its objects, as they were then' }),
  },
  { $id: 'Bucket' },
)

export const BucketsAnswer = Type.Object({
  buckets: Type.Array(BucketSummary),
  countedAt: Type.String({
    format: 'date-time',
    description: 'When the objects were counted: where that takes long, up to fifty times as long ago',
  }),
  fileSizeLimit: Type.Integer({ description: 'The instance’s own limit of an object, in bytes' }),
})

/** A constant, and first: a type would be coerced, and turn null into 0. */
const nothing = Type.Unsafe<null>({ const: null })

const bucketSettings = {
  public: Type.Boolean(),
  fileSizeLimit: Type.Union([nothing, Type.Integer({ minimum: 0 })]),
  allowedMimeTypes: Type.Array(Type.String(), { maxItems: 100 }),
}
export const BucketChange = Type.Object(bucketSettings)
export const NewBucket = Type.Object({ name: Type.String({ minLength: 1 }), ...bucketSettings })

export const StorageEntry = Type.Object(
  {
    kind: Type.Union([Type.Literal('folder'), Type.Literal('object')]),
    key: Type.String({ description: 'The whole key; that of a folder ends with a slash' }),
    id: Nullable(Type.String({ description: 'Null for a folder' })),
    sizeBytes: Nullable(Type.Integer()),
    mimeType: Nullable(Type.String()),
    updatedAt: Nullable(Instant),
  },
  { $id: 'StorageEntry' },
)

export const EntriesPage = Type.Object({
  entries: Type.Array(StorageEntry),
  next: Nullable(Type.String(), { description: 'Send it as `after` for the next page' }),
})

const Preview = Type.Union(
  [
    Type.Literal('image'),
    Type.Literal('video'),
    Type.Literal('audio'),
    Type.Literal('pdf'),
    Type.Literal('text'),
    Type.Literal('none'),
  ],
  { description: 'As what its bytes may be shown' },
)

export const ObjectFacts = Type.Object(
  {
    id: Type.String(),
    bucketId: Type.String(),
    key: Type.String(),
    ownerId: Nullable(Type.String({ description: '`sub` of the user who uploaded it' })),
    sizeBytes: Nullable(Type.Integer()),
    mimeType: Nullable(Type.String()),
    cacheControl: Nullable(Type.String()),
    etag: Nullable(Type.String()),
    createdAt: Instant,
    updatedAt: Instant,
    userMetadata: Type.Record(Type.String(), Type.Unknown(), { description: 'What the client attached' }),
    hasFile: Type.Boolean({ description: 'False for a row that SQL inserted' }),
    preview: Preview,
    publicUrl: Nullable(Type.String({ description: 'Null in a private bucket' })),
  },
  { $id: 'StorageObject' },
)

export const MoveResult = Type.Object(
  {
    moved: Type.Integer(),
    failed: Type.Array(Type.Object({ key: Type.String(), problem: Type.String() })),
    left: Type.Integer({ description: 'Objects of the folder that were not tried yet' }),
    next: Nullable(Type.String({ description: '`after` of the next batch; null after the last' })),
  },
  { $id: 'StorageMoveResult' },
)

export const StoragePolicy = Type.Object(
  {
    name: Type.String(),
    table: Type.Union([Type.Literal('objects'), Type.Literal('buckets')]),
    command: Type.String({ description: 'select, insert, update, delete or all' }),
    roles: Type.Array(Type.String()),
    permissive: Type.Boolean(),
    using: Nullable(Type.String()),
    check: Nullable(Type.String()),
  },
  { $id: 'StoragePolicy' },
)

export const PolicyTemplate = Type.Object(
  { id: Type.String(), title: Type.String(), sql: Type.String() },
  { $id: 'StoragePolicyTemplate' },
)

export type BucketSummary = Static<typeof BucketSummary>
export type BucketChange = Static<typeof BucketChange>
export type EntriesPage = Static<typeof EntriesPage>
export type StorageEntry = Static<typeof StorageEntry>
export type MoveResult = Static<typeof MoveResult>
export type ObjectFacts = Static<typeof ObjectFacts>
export type StoragePolicy = Static<typeof StoragePolicy>
export type PolicyTemplate = Static<typeof PolicyTemplate>
