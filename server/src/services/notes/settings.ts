import Type from 'typebox'
import { type Declared, setting, type Values } from '../../ground/settings/setting.ts'

/** The settings of notes on sessions. */
export const notesSettings = {
  perSession: setting(Type.Integer({ minimum: 1, maximum: 10_000 }), {
    limit: true,
    default: 200,
    description: 'Notes on one session.',
  }),
} as const satisfies Declared

/** The values of `notesSettings`. */
export type NotesSettings = Values<typeof notesSettings>
