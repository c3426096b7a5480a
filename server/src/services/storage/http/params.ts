import Type from 'typebox'
import type { ObjectName } from '../names/object-name.ts'

/** The parameters of a route of one object. */
export const ObjectParams = Type.Object({ bucketName: Type.String(), '*': Type.String() })

/** The parameter of a route of one bucket. */
export const BucketParams = Type.Object({ bucketName: Type.String() })

/** The object that a route's parameters name. */
export const objectNameOf = (params: { readonly bucketName: string; readonly '*': string }): ObjectName => ({
  bucketId: params.bucketName,
  key: params['*'],
})
