import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { messageOf } from '../../../ground/errors/message.ts'
import { backupsError } from '../errors.ts'
import type { BackupTarget } from './target.ts'

/** Where pieces are in an S3 bucket. */
export interface S3Place {
  /** The server; null for Amazon's. */
  readonly endpoint: string | null
  readonly region: string
  readonly bucket: string
  /** What the names of all objects begin with, without a slash at its end; empty for none. */
  readonly prefix: string
  /** Null where the machine has its own (environment, instance role); read with each request, as its secret. */
  readonly accessKeyId: string | null
  readonly secretAccessKey: string | null
  readonly forcePathStyle: boolean
}

const silentMs = 60_000

/** Pieces as objects of a bucket: an object is whole or not there, and durable once its request is answered. */
export function openS3Target(place: S3Place): BackupTarget {
  const { bucket, prefix } = place
  const credentials = async () => {
    const { accessKeyId, secretAccessKey } = place
    if (accessKeyId === null || secretAccessKey === null) throw backupsError('CLEW_BACKUP_TARGET')
    // What has ended is asked for again with each request: the keys may be renewed.
    return { accessKeyId, secretAccessKey, expiration: new Date(0) }
  }
  const client = new S3Client({
    region: place.region,
    ...(place.endpoint === null ? {} : { endpoint: place.endpoint }),
    forcePathStyle: place.forcePathStyle,
    ...(place.accessKeyId === null || place.secretAccessKey === null ? {} : { credentials }),
    // Checksums as trailers, which are sent by default, are unknown to many servers.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: { connectionTimeout: silentMs, socketTimeout: silentMs },
  })
  const name = `s3://${bucket}${prefix === '' ? '' : `/${prefix}`}`
  const keyOf = (piece: string): string => (prefix === '' ? piece : `${prefix}/${piece}`)
  const refused = (cause: unknown): never => {
    throw backupsError('CLEW_BACKUP_TARGET', { message: `${name} refused: ${messageOf(cause)}`, cause })
  }
  const at = (piece: string) => ({ Bucket: bucket, Key: keyOf(piece) })
  return {
    name,
    async put(piece, bytes) {
      await client.send(new PutObjectCommand({ ...at(piece), Body: bytes })).catch(refused)
    },
    has: (piece) =>
      client.send(new HeadObjectCommand(at(piece))).then(
        () => true,
        (error: unknown) => (isMissing(error) ? false : refused(error)),
      ),
    async get(piece) {
      const { Body } = await client.send(new GetObjectCommand(at(piece))).catch((cause: unknown) => {
        if (!isMissing(cause)) return refused(cause)
        throw backupsError('CLEW_BACKUP_DAMAGED', { message: `${name} has no ${piece}.`, cause })
      })
      const bytes = await Body?.transformToByteArray().catch(refused)
      return Buffer.from(bytes ?? [])
    },
    fileOf: () => null,
    async *list(begin) {
      try {
        for await (const { Contents = [] } of paginateListObjectsV2(
          { client },
          { Bucket: bucket, Prefix: keyOf(begin) },
        ))
          for (const { Key = '', Size = 0 } of Contents)
            yield { name: prefix === '' ? Key : Key.slice(prefix.length + 1), sizeBytes: Size }
      } catch (error) {
        refused(error)
      }
    },
    async remove(piece) {
      await client.send(new DeleteObjectCommand(at(piece))).catch(refused)
    },
    settle: async () => undefined,
    close: () => client.destroy(),
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && ['NotFound', 'NoSuchKey'].includes(error.name)
