import Type, { type TSchema } from 'typebox'
import { tomlName, tomlPlace } from '../ground/settings/names.ts'
import type { Declared, Setting } from '../ground/settings/setting.ts'
import { describeAllowed } from '../ground/settings/value.ts'
import { instanceSettings, type Section, sectionNames, sections, tomlNames } from '../settings/index.ts'

/** Settings of the file itself: `project` is how the file is found. */
const { project: _, ...ownSettings } = instanceSettings

/** `settings.gen.ts`: the type of `clew.toml` for programs, names and meanings as in `docs/reference/settings.md`. */
export function settingsTypes(): string {
  const own = Object.entries(ownSettings satisfies Declared).map(([name, setting]) => propertyOf(name, setting, '  '))
  const tables = Object.entries(sections).map(([section, declared]) => {
    const properties = Object.entries(declared satisfies Declared).map(([name, setting]) =>
      propertyOf(name, setting, '    '),
    )
    return `  /** The section \`[${section}]\`. */\n  readonly ${section}?: {\n${properties.join('')}  }\n`
  })
  return `// Made by \`npm run generate\` from the declarations of the settings.

/** Settings as \`clew.toml\` spells them; an empty text stands for nothing. */
export interface ClewSettings {
${own.join('')}${tables.join('')}}
`
}

function propertyOf(name: string, setting: Setting<unknown>, indent: string): string {
  return `${indent}/** ${meaningOf(setting)} */\n${indent}readonly ${tomlName(name)}?: ${typeOf(setting.schema)} | undefined\n`
}

const meaningOf = ({ description, default: byDefault, secret }: Setting<unknown>): string =>
  `${description.replaceAll('*/', '*\u200b/')}${byDefault === null || secret ? '' : ` Default: ${JSON.stringify(byDefault)}.`}`

function typeOf(schema: TSchema): string {
  if (Type.IsUnion(schema))
    return [...new Set([typeOf(presentOf(schema)), `''`])].join(' | ').replace(/^string \| ''$/, 'string')
  if (Type.IsInteger(schema)) return 'number'
  if (Type.IsBoolean(schema)) return 'boolean'
  if (Type.IsEnum(schema)) return schema.enum.map((word) => `'${word}'`).join(' | ')
  if (Type.IsArray(schema))
    return isPairs(schema)
      ? 'readonly string[] | Readonly<Record<string, string>>'
      : `readonly (${typeOf(schema.items)})[]`.replace('(string)', 'string')
  if (Type.IsRecord(schema)) return `Readonly<Record<string, ${typeOf(memberOf(schema))}>>`
  if (Type.IsObject(schema)) {
    const properties = Object.entries(schema.properties).map(([name, value]) => `readonly ${name}?: ${typeOf(value)}`)
    return `{ ${properties.join('; ')} }`
  }
  return 'string'
}

/** What a setting is where it is given: the first of the two of `nullable`. */
const presentOf = (schema: TSchema): TSchema => (Type.IsUnion(schema) ? (schema.anyOf[0] ?? Type.Null()) : schema)

const memberOf = (schema: TSchema): TSchema =>
  Type.IsRecord(schema) ? (Object.values(schema.patternProperties)[0] ?? Type.String()) : schema

const isPairs = (schema: TSchema): boolean => (schema as { readonly pairs?: unknown }).pairs === true

type JsonSchema = Readonly<Record<string, unknown>>

/** `clew.schema.json`: JSON Schema of `clew.toml` for editors. */
export function settingsSchema(): JsonSchema {
  const tables = sectionNames.map((section) => [section, sectionSchema(section, sections[section])])
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'clew.toml',
    type: 'object',
    properties: { ...propertiesOf(null, ownSettings), ...Object.fromEntries(tables) },
    additionalProperties: false,
  }
}

function sectionSchema(section: Section, declared: Declared): JsonSchema {
  return {
    type: 'object',
    properties: propertiesOf(section, declared),
    // Names may be taken apart into tables: `enabled` of `[auth.external.github]`.
    additionalProperties: { type: 'object' },
  }
}

function propertiesOf(section: Section | null, declared: Declared): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(declared).flatMap(([name, setting]) => {
      const own = { ...schemaOf(setting.schema), ...descriptionOf(setting) }
      // The REST service's settings also have PostgREST's names.
      const others = tomlNames(section, name).slice(1)
      const alias = { ...own, description: `${tomlPlace(section, name)}: ${setting.description}` }
      return [[tomlName(name), own], ...others.map((other) => [other, alias] as const)]
    }),
  )
}

function descriptionOf({ schema, description, default: byDefault, secret }: Setting<unknown>): JsonSchema {
  return {
    description: `${description} Allowed: ${describeAllowed(schema)}.`,
    ...(byDefault === null || secret ? {} : { default: byDefault }),
  }
}

function schemaOf(schema: TSchema): JsonSchema {
  const present = presentOf(schema)
  if (Type.IsArray(present)) {
    const list = { type: 'array', items: schemaOf(present.items) }
    return isPairs(present) ? { anyOf: [list, { type: 'object', additionalProperties: { type: 'string' } }] } : list
  }
  if (Type.IsRecord(present)) return { type: 'object', additionalProperties: schemaOf(memberOf(present)) }
  if (Type.IsObject(present)) {
    const properties = Object.entries(present.properties).map(([name, value]) => [name, schemaOf(value)])
    return { type: 'object', properties: Object.fromEntries(properties), additionalProperties: false }
  }
  const { minimum, maximum } = present as { readonly minimum?: number; readonly maximum?: number }
  if (Type.IsInteger(present)) return { type: 'integer', minimum, maximum }
  if (Type.IsEnum(present)) return { type: 'string', enum: present.enum }
  return { type: Type.IsBoolean(present) ? 'boolean' : 'string' }
}
