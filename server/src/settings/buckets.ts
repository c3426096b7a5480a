import Type, { type Static } from 'typebox'

const bucketName = /^[A-Za-z0-9_!.*'() &$@=;:+,?-]{1,100}$/

/** A bucket that a project declares (project-folder §4); what is absent is left as it is in a bucket that is there. */
const DeclaredBucketSchema = Type.Object(
  {
    public: Type.Optional(Type.Boolean()),
    /** In bytes. */
    file_size_limit: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
    allowed_mime_types: Type.Optional(Type.Array(Type.String())),
    /** A file or a folder, relative to `supabase/`. */
    objects_path: Type.Optional(Type.String({ minLength: 1 })),
  },
  { additionalProperties: false },
)

/** A bucket of `supabase/config.toml`. */
export type DeclaredBucket = Readonly<Static<typeof DeclaredBucketSchema>>

/** Buckets by their names. */
export const declaredBuckets = Type.Refine(
  Type.Record(Type.String(), DeclaredBucketSchema, {
    allowed:
      "names of buckets (letters, digits, `_!.*'() &$@=;:+,?-`), each with `public`, `file_size_limit` in bytes, " +
      '`allowed_mime_types` and `objects_path`',
  }),
  (buckets) => Object.keys(buckets).every((name) => bucketName.test(name) && name.trim() === name),
)
