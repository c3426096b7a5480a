import Type from 'typebox'
import { setting, type Values } from '../../ground/settings/setting.ts'

/** The settings of the console's live connections. */
export const liveSettings = {
  connections: setting(Type.Integer({ minimum: 1, maximum: 100_000 }), {
    limit: true,
    default: 500,
    description: 'Tabs of the console that are connected at a time; further ones ask again and again instead.',
  }),
  topicsPerConnection: setting(Type.Integer({ minimum: 1, maximum: 1000 }), {
    limit: true,
    default: 50,
    description: 'What one tab of the console may watch at a time.',
  }),
  frameBytes: setting(Type.Integer({ minimum: 1024, maximum: 1024 * 1024 }), {
    limit: true,
    default: 16 * 1024,
    description: 'The largest message of a tab; a larger one closes its connection.',
  }),
  framesPerSecond: setting(Type.Integer({ minimum: 1, maximum: 1000 }), {
    limit: true,
    default: 5,
    description: 'Messages that a tab may send in a second, on average over ten of them.',
  }),
  bufferedBytes: setting(Type.Integer({ minimum: 1024, maximum: 1024 * 1024 }), {
    limit: true,
    default: 64 * 1024,
    description: 'What may wait for a tab that does not read; with more its connection is closed.',
  }),
  noticesPerSecond: setting(Type.Integer({ minimum: 1, maximum: 50 }), {
    limit: true,
    default: 4,
    description: 'How often in a second tabs are told that there is something new of one and the same thing.',
  }),
  checkSeconds: setting(Type.Integer({ minimum: 1, maximum: 3600 }), {
    default: 10,
    description:
      'How often it is looked up whether the operators of the connected tabs are still signed in and have their roles. A ' +
      'sign-out is noticed at once.',
  }),
  idleSeconds: setting(Type.Integer({ minimum: 1, maximum: 3600 }), {
    default: 60,
    description: 'Seconds after which a connection that does not answer is closed.',
  }),
  storeMs: setting(Type.Integer({ minimum: 10, maximum: 60_000 }), {
    default: 150,
    description:
      'Time between the beginnings of two batches of events and requests, in milliseconds, while a session is watched; ' +
      'spool.batch_ms, where that is shorter.',
  }),
} as const

/** The values of `liveSettings`. */
export type LiveSettings = Values<typeof liveSettings>
