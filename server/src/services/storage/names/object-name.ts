/** Where an object is. */
export interface ObjectName {
  readonly bucketId: string
  readonly key: string
}
