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
  s3PartMinimumMib: setting(Type.Integer({ minimum: 0, maximum: 5120 }), {
    limit: true,
    default: 5,
    description: 'What each part of a multipart upload has at least, but for the last; Amazon asks for 5.',
  }),
  s3MultipartHours: setting(Type.Integer({ minimum: 1, maximum: 8760 }), {
    limit: true,
    default: 168,
    description: 'How long a multipart upload may take; what is not completed by then is removed.',
  }),
} as const satisfies Declared
