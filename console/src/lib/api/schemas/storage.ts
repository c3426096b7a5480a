import type { Answer, Schemas } from './answer.ts'

/** A bucket with the number and the bytes of its objects. */
export type Bucket = Schemas['Bucket']

/** A folder or an object of one folder. */
export type StorageEntry = Schemas['StorageEntry']

/** What is known of an object. */
export type StorageObject = Answer<'storageObject'>

/** A policy of objects or buckets. */
export type StoragePolicy = Schemas['StoragePolicy']
