import { storageError } from '../../errors.ts'
import type { S3Call, S3Services } from '../call.ts'

/** @throws NoSuchBucket */
export async function requireBucket({ buckets }: S3Services, { own, name }: S3Call): Promise<void> {
  if ((await buckets.find(own, name.bucketId)) === null) throw storageError('NoSuchBucket')
}
