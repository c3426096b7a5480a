import { compile, type Statement } from '../../../../ground/sql/postgres.ts'
import { sql, typed } from '../../../../ground/sql/sql.ts'
import { isoTime } from '../../sql/timestamp.ts'
import type { Operate, S3Call, S3Services } from '../call.ts'
import { s3Error } from '../errors.ts'
import { renderDocument, type XmlElements } from '../xml/render.ts'
import { largestPage, nameWriter, numberOf } from './parameters.ts'
import { requireBucket } from './require-bucket.ts'

interface Page {
  readonly prefix: string
  readonly delimiter: string
  readonly maxKeys: number
  /** The last name of the page before; empty for the first. */
  readonly after: string
}

/** A row of a page; those of folders have no id. */
type EntryRow = Readonly<Record<'name' | 'id' | 'etag' | 'size' | 'modified_at', string | null>>

/** One row more than the page has, so that the last page is known. */
const listObjectsStatement = (bucketId: string, { prefix, delimiter, maxKeys, after }: Page): Statement =>
  compile(sql`
    select o.name, o.id::text as id, o.metadata->>'eTag' as etag, o.metadata->>'size' as size,
      coalesce(o.metadata->>'lastModified', ${isoTime(sql`o.updated_at`)}) as modified_at
    from storage.list_objects_with_delimiter(
      ${bucketId}, ${prefix}, ${delimiter}, ${typed(maxKeys + 1, 'int')}, ${after}, '', 'asc'
    ) as o`)

/** The first list of objects, whose pages go on behind `marker`. */
export const listObjects: Operate = async (services, call) => {
  const marker = call.query.get('marker') ?? ''
  const { page, entries, next } = await readPage(services, call, marker)
  const write = nameWriter(call)
  return document({
    ...describe(call, page, entries, next !== null),
    Marker: write(marker),
    // The last key is the marker where there are no folders, and clients read it from there.
    ...(next === null || page.delimiter === '' ? {} : { NextMarker: write(next) }),
  })
}

/** The second list of objects, whose pages go on by a token. */
export const listObjectsV2: Operate = async (services, call) => {
  const startAfter = call.query.get('start-after')
  const token = call.query.get('continuation-token')
  const { page, entries, next } = await readPage(services, call, token ? readToken(token) : (startAfter ?? ''))
  const write = nameWriter(call)
  return document({
    ...describe(call, page, entries, next !== null),
    KeyCount: Math.min(entries.length, page.maxKeys),
    ContinuationToken: token,
    StartAfter: startAfter === undefined ? undefined : write(startAfter),
    ...(next === null ? {} : { NextContinuationToken: Buffer.from(next).toString('base64url') }),
  })
}

const document = (content: XmlElements) => ({ status: 200, body: renderDocument('ListBucketResult', content) })

async function readPage(services: S3Services, call: S3Call, after: string) {
  const { own, name, query } = call
  await requireBucket(services, call)
  const page: Page = {
    prefix: query.get('prefix') ?? '',
    delimiter: query.get('delimiter') ?? '',
    maxKeys: numberOf(call, 'max-keys', largestPage, largestPage),
    after,
  }
  if ([page.prefix, page.delimiter, after].some((text) => text.includes('\0'))) throw s3Error('InvalidArgument')
  if (page.maxKeys === 0) return { page, entries: [], next: null }
  const statement = listObjectsStatement(name.bucketId, page)
  const { rows } = await services.sql.asCaller<EntryRow>(own, own.caller, { statement, readOnly: true })
  const entries = rows.slice(0, page.maxKeys).map((row) => entryOf(row, page.delimiter))
  const last = entries.at(-1)
  return { page, entries, next: rows.length > page.maxKeys && last !== undefined ? last.name : null }
}

type Entry = ReturnType<typeof entryOf>

const entryOf = ({ name, id, etag, size, modified_at: modifiedAt }: EntryRow, delimiter: string) => ({
  // The function of the schema leaves the delimiter out.
  name: id === null ? `${name}${delimiter}` : (name ?? ''),
  isFolder: id === null,
  etag,
  size,
  modifiedAt,
})

function describe(
  call: S3Call,
  { prefix, delimiter, maxKeys }: Page,
  entries: readonly Entry[],
  isTruncated: boolean,
): XmlElements {
  const write = nameWriter(call)
  return {
    Name: call.name.bucketId,
    Prefix: write(prefix),
    Delimiter: delimiter === '' ? undefined : write(delimiter),
    MaxKeys: maxKeys,
    EncodingType: call.query.get('encoding-type') || undefined,
    IsTruncated: isTruncated,
    Contents: entries
      .filter(({ isFolder }) => !isFolder)
      .map(({ name, etag, size, modifiedAt }) => ({
        Key: write(name),
        LastModified: modifiedAt ?? undefined,
        ETag: etag ?? '',
        Size: size ?? 0,
        StorageClass: 'STANDARD',
      })),
    CommonPrefixes: entries.filter(({ isFolder }) => isFolder).map(({ name }) => ({ Prefix: write(name) })),
  }
}

function readToken(token: string): string {
  const name = Buffer.from(token, 'base64url').toString('utf8')
  if (name === '' || name.includes('\0'))
    throw s3Error('InvalidArgument', { message: 'The continuation token provided is incorrect' })
  return name
}
