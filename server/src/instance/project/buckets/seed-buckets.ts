import { existsSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import type { Sql } from '../../../engines/postgres/index.ts'
import { instanceError } from '../../../errors.ts'
import { messageOf } from '../../../ground/errors/message.ts'
import { inParallel } from '../../../ground/limits/in-parallel.ts'
import { compile } from '../../../ground/sql/postgres.ts'
import { sql } from '../../../ground/sql/sql.ts'
import type { BucketProperties, BucketStore, SeededBuckets, StoredBucket } from '../../../plan/instance.ts'
import type { DeclaredBucket } from '../../../settings/index.ts'
import { filesBelow } from './files-below.ts'
import { uploadSourceOf } from './upload-source.ts'

/** The buckets of a project folder, and where they are made. */
export interface SeedBucketsDeps {
  /** The project folder. */
  readonly folder: string
  /** Notes which buckets are seeded; null for a project whose database is out of reach. */
  readonly owner: Pick<Sql, 'query'> | null
  readonly buckets: Readonly<Record<string, DeclaredBucket>>
  readonly store: BucketStore
  /** Called with what is done, a line each. */
  readonly log: (line: string) => void
}

/** How buckets are seeded on request. */
export interface SeedBucketsOptions {
  /** Whether the properties of a bucket that is there are overwritten. */
  readonly overwrites: (bucket: string) => Promise<boolean>
}

/** Files that are uploaded at a time, as the Supabase CLI has it. */
const uploadsAtOnce = 5

/**
 * Creates the buckets that a project declares, or gives them their properties, and uploads the files of their
 * `objects_path`, which replace objects of their names (project-folder §4).
 *
 * @throws CLEW_START_PROJECT naming the bucket or the file, and the reason
 */
export async function seedBuckets(deps: SeedBucketsDeps, { overwrites }: SeedBucketsOptions): Promise<SeededBuckets> {
  const names = Object.keys(deps.buckets)
  checkPaths(deps, names)
  const { created, updated } = await makeBuckets(deps, overwrites)
  return { created, updated, uploaded: await uploadFiles(deps, names, true) }
}

/**
 * As `seedBuckets` at a start: buckets get their properties each time, and their files when they are declared first. What a
 * start left undone is done by the next one.
 *
 * @throws CLEW_START_PROJECT
 */
export async function keepBuckets(deps: SeedBucketsDeps): Promise<SeededBuckets> {
  const names = Object.keys(deps.buckets)
  if (names.length === 0) return { created: 0, updated: 0, uploaded: 0 }
  const seeded = await readSeeded(deps.owner)
  const unseeded = names.filter((name) => !seeded.has(name))
  checkPaths(deps, unseeded)
  const made = await makeBuckets(deps, async () => true)
  // Files that the application has replaced since, in a bucket that is older than its declaration, are its own.
  const uploaded = await uploadFiles(deps, unseeded, false)
  return { ...made, uploaded }
}

async function makeBuckets(
  { buckets, store, log }: SeedBucketsDeps,
  overwrites: SeedBucketsOptions['overwrites'],
): Promise<Omit<SeededBuckets, 'uploaded'>> {
  const present = new Map((await store.buckets()).map((bucket) => [bucket.name, bucket]))
  let [created, updated] = [0, 0]
  for (const [name, { objects_path: _, ...properties }] of Object.entries(buckets)) {
    const found = present.get(name)
    if (found !== undefined && (isAsDeclared(found, properties) || !(await overwrites(name)))) continue
    log(`${found === undefined ? 'Creating' : 'Updating'} Storage bucket: ${name}`)
    const made = found === undefined ? store.createBucket(name, properties) : store.updateBucket(found.id, properties)
    await made.catch((cause: unknown) => {
      throw refused(`[storage.buckets.${name}]`, cause)
    })
    if (found === undefined) created += 1
    else updated += 1
  }
  return { created, updated }
}

/** Whether a bucket has each property that is declared. */
const isAsDeclared = (found: StoredBucket, declared: BucketProperties): boolean =>
  (Object.keys(declared) as (keyof BucketProperties)[]).every(
    (name) => JSON.stringify(found[name]) === JSON.stringify(declared[name]),
  )

/** Uploads the files of buckets, and notes each bucket when all of its files are there. */
async function uploadFiles(
  { folder, owner, buckets, store, log }: SeedBucketsDeps,
  names: readonly string[],
  overwrites: boolean,
): Promise<number> {
  let uploaded = 0
  for (const bucket of names) {
    const path = pathOf(folder, buckets[bucket])
    if (path !== null)
      await inParallel(filesBelow(path), uploadsAtOnce, async (file) => {
        const place = `${relative(folder, file.path)} => ${bucket}/${file.name}`
        const source = await uploadSourceOf(file.path, { overwrites })
        const isStored = await store.upload({ bucket, key: file.name }, source).then(
          () => true,
          (cause: unknown) => {
            if (!overwrites && isThere(cause)) return false
            throw refused(place, cause)
          },
        )
        if (!isStored) return
        log(`Uploading: ${place}`)
        uploaded += 1
      })
    await owner?.query(compile(noteSeeded(bucket)))
  }
  return uploaded
}

/** The codes of a name that is taken, the older one of supabase/storage among them. */
const isThere = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'KeyAlreadyExists' || error.code === 'Duplicate')

const refused = (what: string, cause: unknown) =>
  instanceError('CLEW_START_PROJECT', { message: `${what}: ${messageOf(cause)}`, cause })

const pathOf = (folder: string, bucket: DeclaredBucket | undefined): string | null =>
  bucket?.objects_path === undefined ? null : resolve(folder, 'supabase', bucket.objects_path)

/** Nothing is begun with a path that leads nowhere. */
function checkPaths({ folder, buckets }: SeedBucketsDeps, names: readonly string[]): void {
  for (const name of names) {
    const path = pathOf(folder, buckets[name])
    if (path === null || existsSync(path)) continue
    throw instanceError('CLEW_START_PROJECT', {
      message: `[storage.buckets.${name}] objects_path: no file or folder is at ${relative(folder, path)}.`,
    })
  }
}

/** Buckets are noted beside seeds: a reset of the database forgets both. */
const notePrefix = 'storage.buckets.'

const noteSeeded = (bucket: string) => sql`
  insert into supabase_migrations.seed_files (path, hash) values (${notePrefix + bucket}, 'seeded')
  on conflict (path) do nothing`

async function readSeeded(owner: SeedBucketsDeps['owner']): Promise<ReadonlySet<string>> {
  if (owner === null) return new Set()
  const { rows } = await owner.query<{ path: string }>(
    compile(sql`select path from supabase_migrations.seed_files where path like ${`${notePrefix}%`}`),
  )
  return new Set(rows.map(({ path }) => path.slice(notePrefix.length)))
}
