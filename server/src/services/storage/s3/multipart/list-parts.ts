import type { Operate } from '../call.ts'
import { largestPage, numberOf } from '../operations/parameters.ts'
import { renderDocument } from '../xml/render.ts'
import { requireUpload } from './require-upload.ts'
import { type PartRow, selectPartsStatement } from './store.ts'

export const listParts: Operate = async (services, call) => {
  const { name } = await requireUpload(services, call)
  const marker = numberOf(call, 'part-number-marker', 0, 10_000)
  const maxParts = numberOf(call, 'max-parts', largestPage, largestPage)
  const statement = selectPartsStatement(name.uploadId, marker, maxParts + 1)
  const { rows } = await services.sql.asService<PartRow>(call.own, { statement, readOnly: true })
  const parts = rows.slice(0, maxParts)
  const isTruncated = rows.length > maxParts
  return {
    status: 200,
    body: renderDocument('ListPartsResult', {
      Bucket: name.bucketId,
      Key: name.key,
      UploadId: name.uploadId,
      PartNumberMarker: marker,
      NextPartNumberMarker: isTruncated ? parts.at(-1)?.part_number : undefined,
      MaxParts: maxParts,
      IsTruncated: isTruncated,
      Part: parts.map((part) => ({
        PartNumber: part.part_number,
        LastModified: part.created_at,
        ETag: part.etag,
        Size: part.size,
      })),
    }),
  }
}
