import Type from 'typebox'
import { type Declared, setting } from '../../../ground/settings/setting.ts'

/** The settings of image transformation: part of `[storage]`. */
export const imageSettings = {
  imageTransformation: setting(Type.Boolean(), {
    default: false,
    description: 'Whether images are resized and converted: `/render/image`, and `transform` of signed URLs.',
  }),
  imageFormats: setting(Type.Array(Type.Enum(['avif', 'webp'])), {
    default: ['webp', 'avif'],
    description:
      'Formats that images are converted to where the client accepts them and asks for none, best first; AVIF takes several ' +
      'times as long as WebP.',
  }),
  imageConcurrency: setting(Type.Integer({ minimum: 1, maximum: 64 }), {
    limit: true,
    default: 4,
    description: 'Images that are changed at a time, in a process of lower priority.',
  }),
  imageQueue: setting(Type.Integer({ minimum: 0, maximum: 10_000 }), {
    limit: true,
    default: 100,
    description: 'Images that may wait to be changed; more are answered with 429.',
  }),
  imageRequestsPerSecond: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
    limit: true,
    default: 5,
    description:
      'How often a second one client may ask for one address of a changed image, whatever its options; four times as often ' +
      'at once. More are answered with 429.',
  }),
  imageSourceMib: setting(Type.Integer({ minimum: 1, maximum: 1024 }), {
    limit: true,
    default: 25,
    description: 'The largest file that is changed.',
  }),
  imageMegapixels: setting(Type.Integer({ minimum: 1, maximum: 1000 }), {
    limit: true,
    default: 50,
    unit: 'million pixels',
    description: 'The largest image that is changed: its width times its height.',
  }),
  imageSeconds: setting(Type.Integer({ minimum: 1, maximum: 300 }), {
    limit: true,
    default: 10,
    description: 'How long it may take to change an image.',
  }),
  imageCacheMib: setting(Type.Integer({ minimum: 0, maximum: 65_536 }), {
    limit: true,
    default: 64,
    description: 'Changed images that stay in memory, by their bytes; 0 for none.',
  }),
} as const satisfies Declared
