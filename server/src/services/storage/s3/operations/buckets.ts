import type { Operate } from '../call.ts'
import { renderDocument } from '../xml/render.ts'

interface BucketJson {
  readonly name: string
  readonly created_at: string
}

export const listBuckets: Operate = async ({ buckets }, { own }) => {
  // The service's own JSON.
  const found = JSON.parse(await buckets.list(own, {})) as readonly BucketJson[]
  const entries = found.map(({ name, created_at: created }) => ({ Name: name, CreationDate: created }))
  const owner = { ID: own.caller.subject ?? own.caller.role }
  return document('ListAllMyBucketsResult', { Owner: owner, Buckets: { Bucket: entries } })
}

export const createBucket: Operate = async ({ buckets }, { own, name, headers }) => {
  await buckets.create(own, name.bucketId, { public: headers['x-amz-acl'] === 'public-read' })
  return { status: 200, headers: { location: `/${name.bucketId}` } }
}

export const headBucket: Operate = async ({ buckets, region }, { own, name }) => {
  await buckets.get(own, name.bucketId)
  return { status: 200, headers: { 'x-amz-bucket-region': region } }
}

export const deleteBucket: Operate = async ({ buckets }, { own, name }) => {
  await buckets.remove(own, name.bucketId)
  return { status: 204 }
}

export const getBucketLocation: Operate = async ({ buckets, region }, { own, name }) => {
  await buckets.get(own, name.bucketId)
  return document('LocationConstraint', region)
}

export const getBucketVersioning: Operate = async ({ buckets }, { own, name }) => {
  await buckets.get(own, name.bucketId)
  return document('VersioningConfiguration', { Status: 'Suspended', MfaDelete: 'Disabled' })
}

const document = (root: string, content: Parameters<typeof renderDocument>[1]) => ({
  status: 200,
  body: renderDocument(root, content),
})
