import Type, { type Static, type TSchema } from 'typebox'
import type { Setting } from './setting.ts'
import { describeAllowed } from './value.ts'

/** How a setting is asked for in a form. */
export const SettingForm = Type.Object({
  kind: Type.Enum(['boolean', 'number', 'choice', 'list', 'table', 'text']),
  choices: Type.Array(Type.String(), { description: 'Of a choice, and of a list of them' }),
  allowed: Type.String({ description: 'In words' }),
})
export type SettingForm = Static<typeof SettingForm>

/** The form of a setting. */
export function formOf({ schema }: Pick<Setting<unknown>, 'schema'>): SettingForm {
  const plain = Type.IsUnion(schema) ? (schema.anyOf[0] ?? Type.Null()) : schema
  const item = Type.IsArray(plain) ? plain.items : plain
  const choices = Type.IsEnum(item) ? item.enum.map(String) : []
  return { kind: kindOf(plain), choices, allowed: describeAllowed(schema) }
}

function kindOf(schema: TSchema): SettingForm['kind'] {
  if (Type.IsEnum(schema)) return 'choice'
  if (Type.IsBoolean(schema)) return 'boolean'
  if (Type.IsInteger(schema) || Type.IsNumber(schema)) return 'number'
  if (Type.IsArray(schema)) return 'list'
  return Type.IsRecord(schema) ? 'table' : 'text'
}
