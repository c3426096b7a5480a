import Type from 'typebox'
import { type Declared, setting, type Values } from '../../../ground/settings/setting.ts'

/** The admin API. */
export const adminSettings = {
  adminCursorPagination: setting(Type.Boolean(), {
    default: false,
    description: 'Whether lists of users that ask for no page are walked by a cursor and not counted; experimental.',
  }),
} as const satisfies Declared

/** The values of those settings. */
export type AdminSettings = Values<typeof adminSettings>
