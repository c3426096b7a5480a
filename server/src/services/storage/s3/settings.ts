import Type from 'typebox'
import { type Declared, setting, text } from '../../../ground/settings/setting.ts'

/** The settings of the S3 protocol: part of `[storage]`. */
export const s3ProtocolSettings = {
  s3Protocol: setting(Type.Boolean(), {
    default: true,
    description: 'Whether the S3 protocol is served at /storage/v1/s3; `clew keys` prints its access key.',
  }),
  s3ProtocolRegion: setting(text, {
    default: 'local',
    description: 'The region that clients of the S3 protocol are told; they may sign for any.',
  }),
} as const satisfies Declared
