import * as aws from '@aws-sdk/client-s3'
import { onTestFinished } from 'vitest'
import { createS3Store } from '../src/services/storage/files/s3/s3-store.ts'
import { localS3AccessKey } from '../src/services/storage/s3/keys.ts'
import { test as base, openTestDatabase, type TestDatabase } from './harness.ts'
import { openStorage, type StorageApp } from './storage-app.ts'

/** Object storage with two buckets, the public one `open` and `b`, and clients of its S3 protocol. */
export interface S3App extends StorageApp {
  readonly db: TestDatabase
  /** Signs with the instance's own key. */
  readonly s3: aws.S3Client
  /** A client that signs with another key, or as a user. */
  readonly as: (credentials: Partial<typeof localS3AccessKey & { sessionToken: string }>) => aws.S3Client
}

/** Objects of 64 MiB at most, and parts of any size. */
export const s3Test = base.extend('app', async ({ db }): Promise<S3App> => {
  const app = await openStorage(db, { settings: { fileSizeLimitBytes: 64 * 1024 * 1024, s3PartMinimumMib: 0 } })
  await db.load(`insert into storage.buckets (id, name, public) values ('b', 'b', false), ('open', 'open', true)`)
  const as = s3ClientOf(app)
  return { ...app, db, s3: as({}), as }
})

/** Object storage with the bucket `b`, parts of any size, and what options change. */
export async function openS3(db: TestDatabase, options: Parameters<typeof openStorage>[1] = {}): Promise<S3App> {
  const app = await openStorage(db, { ...options, settings: { s3PartMinimumMib: 0, ...options.settings } })
  await db.load(`insert into storage.buckets (id, name) values ('b', 'b')`)
  const as = s3ClientOf(app)
  return { ...app, db, s3: as({}), as }
}

/** The same, whose files are in a bucket of another instance, with a database of its own. */
export async function openS3InBucket(db: TestDatabase): Promise<S3App> {
  const outerDb = await openTestDatabase()
  onTestFinished(() => outerDb.close())
  const { url } = await openS3(outerDb)
  const endpoint = `${url}/storage/v1/s3`
  const files = createS3Store({
    ...localS3AccessKey,
    endpoint,
    region: 'local',
    bucket: 'b',
    timeoutSeconds: 60,
    pathStyle: true,
  })
  return openS3(db, { files })
}

export function s3ClientOf({ url }: StorageApp): S3App['as'] {
  return (credentials) =>
    new aws.S3Client({
      region: 'eu-central-1',
      endpoint: `${url}/storage/v1/s3`,
      forcePathStyle: true,
      maxAttempts: 1,
      credentials: { ...localS3AccessKey, ...credentials },
    })
}

export const textOf = async (output: aws.GetObjectCommandOutput) => output.Body?.transformToString()

/** How many files the store has, growing ones among them. */
export async function filesIn({ files }: StorageApp): Promise<number> {
  let count = 0
  for await (const _file of files.list()) count += 1
  return count
}
