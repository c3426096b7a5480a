import type { Operate } from '../call.ts'
import { factsOf } from '../operations/put-object.ts'
import { renderDocument } from '../xml/render.ts'
import { insertUploadStatement } from './store.ts'

export const createUpload: Operate = async ({ uploads, sql, newId }, call) => {
  const { own, name } = call
  const { mimeType, cacheControl, userMetadata } = factsOf(call)
  const owner = own.caller.subject
  await uploads.admit(own, own.caller, name, { mimeType, userMetadata, declaredBytes: null }, { upsert: true, owner })
  const [id, version] = [newId(), newId()]
  const upload = { ...name, id, version, owner, userMetadata, metadata: { mimetype: mimeType, cacheControl } }
  await sql.asService(own, { statement: insertUploadStatement(upload) })
  return {
    status: 200,
    body: renderDocument('InitiateMultipartUploadResult', { Bucket: name.bucketId, Key: name.key, UploadId: id }),
  }
}
