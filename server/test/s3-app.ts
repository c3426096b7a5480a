import * as aws from '@aws-sdk/client-s3'
import { localS3AccessKey } from '../src/services/storage/s3/keys.ts'
import { test as base, type TestDatabase } from './harness.ts'
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
