import type { OtlpSettings } from '../settings.ts'

/** What of the settings bounds a batch. */
export type TakeLimits = Pick<
  OtlpSettings,
  | 'maxBodyBytes'
  | 'maxBatchRecords'
  | 'maxAttributes'
  | 'maxAttributeBytes'
  | 'maxEvents'
  | 'maxTextBytes'
  | 'secretAttributes'
  | 'retentionDays'
> & {
  /** How deep the values of attributes, or the JSON of a body, may nest. */
  readonly jsonDepth: number
}
