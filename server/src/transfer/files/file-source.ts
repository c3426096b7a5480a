import { createReadStream, existsSync } from 'node:fs'
import { readFile, realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { Readable } from 'node:stream'
import type { Download, ObjectAddress } from './storage-api.ts'

/** Where the bytes of objects come from. */
export interface FileSource {
  /** @throws what the source has to say of an object that it does not have or give */
  download(address: ObjectAddress): Promise<Download>
  /** Fails where nothing can be had: an address or a key is wrong. */
  check(): Promise<unknown>
  close(): void
}

/** A bucket server of the S3 protocol, as a Supabase project has one at `/storage/v1/s3`. */
export interface S3SourceOptions {
  readonly endpoint: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Reads by the S3 protocol; the SDK is loaded where it is used. */
export async function openS3Source(options: S3SourceOptions): Promise<FileSource> {
  const { endpoint, region, accessKeyId, secretAccessKey } = options
  const { GetObjectCommand, ListBucketsCommand, S3Client } = await import('@aws-sdk/client-s3')
  const client = new S3Client({
    endpoint,
    region,
    forcePathStyle: true,
    credentials: { accessKeyId, secretAccessKey },
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  return {
    download: async ({ bucket, key }) => {
      const { Body, ContentLength = null } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }))
      // In Node the SDK answers with Node's streams.
      return { body: Body instanceof Readable ? Body : Readable.from([]), sizeBytes: ContentLength }
    },
    check: () => client.send(new ListBucketsCommand({})),
    close: () => client.destroy(),
  }
}

/** The listing of an export's files: a line each. */
export const listingName = 'storage.ndjson'

/** A line of the listing. */
export interface ListedFile extends ObjectAddress {
  /** From the folder of the export. */
  readonly path: string
  readonly bytes: number
  /** In hexadecimal. */
  readonly sha256: string
}

/** Reads the files of an export, by its listing. */
export async function openExportSource(folder: string): Promise<FileSource> {
  const paths = new Map<string, string>()
  for (const line of (await readFile(join(folder, listingName), 'utf8')).split('\n')) {
    if (line === '') continue
    // Each line was written by an export.
    const { bucket, key, path } = JSON.parse(line) as ListedFile
    // Nearly all are at the path of their name.
    if (path !== join('storage', bucket, key)) paths.set(`${bucket}/${key}`, path)
  }
  return folderSource(folder, ({ bucket, key }) => paths.get(`${bucket}/${key}`) ?? join('storage', bucket, key))
}

/** Reads files that are in a folder as `bucket/key`. */
export const openFolderSource = (folder: string): FileSource =>
  folderSource(folder, ({ bucket, key }) => join(bucket, key))

function folderSource(folder: string, pathOf: (address: ObjectAddress) => string): FileSource {
  return {
    download: async (address) => {
      const place = join(folder, pathOf(address))
      if (!existsSync(place)) throw new Error(`${folder} has no file of it.`)
      // A listing, or a link, could name any file of this machine.
      const [root, found] = await Promise.all([realpath(folder), realpath(place)])
      if (!found.startsWith(root + sep)) throw new Error(`${place} is outside of ${folder}.`)
      return { body: createReadStream(found), sizeBytes: (await stat(found)).size }
    },
    check: () => stat(folder),
    close: () => undefined,
  }
}
