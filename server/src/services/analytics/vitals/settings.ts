import Type from 'typebox'
import { setting } from '../../../ground/settings/setting.ts'

/** Which measurements of web vitals count, and what an answer about them holds at most. */
export const vitalSettings = {
  vitalsMaxMs: setting(Type.Integer({ minimum: 60_000, maximum: 3_600_000 }), {
    limit: true,
    default: 900_000,
    description: 'Longest time that a browser may say of a web vital, in milliseconds; longer ones are left out.',
  }),
  vitalsMaxShift: setting(Type.Number({ minimum: 1, maximum: 1000 }), {
    limit: true,
    default: 100,
    description: 'Largest layout shift (CLS) that a browser may say; larger ones are left out.',
  }),
  vitalsPaths: setting(Type.Integer({ minimum: 10, maximum: 10_000 }), {
    limit: true,
    default: 200,
    description: 'Paths that the table of web vitals has.',
  }),
  vitalsVisits: setting(Type.Integer({ minimum: 5, maximum: 200 }), {
    limit: true,
    default: 20,
    description: 'Worst visits of a path that are listed of a web vital.',
  }),
} as const
