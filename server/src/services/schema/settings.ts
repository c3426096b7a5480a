import Type from 'typebox'
import { type Declared, setting, type Values } from '../../ground/settings/setting.ts'

/** The settings of the console's schema screens. */
export const schemaSettings = {
  lockSeconds: setting(Type.Integer({ minimum: 1, maximum: 600 }), {
    limit: true,
    default: 5,
    description:
      'How long a change of the schema in the console waits for a table that is in use; requests on that table wait behind it.',
  }),
  statementSeconds: setting(Type.Integer({ minimum: 1, maximum: 3_600 }), {
    limit: true,
    default: 120,
    description: 'How long a statement of a change of the schema in the console may run.',
  }),
} as const satisfies Declared

/** The values of `schemaSettings`. */
export type SchemaSettings = Values<typeof schemaSettings>
