import Type, { type Static, type TSchema } from 'typebox'

/** One setting: what it may be, what it is where no source names it, and what it means. */
export interface Setting<Value> {
  readonly schema: TSchema
  readonly default: Value
  /** One sentence for the reference page, the console and `--help`. */
  readonly description: string
  /** Never printed. */
  readonly secret: boolean
  /** Whether it bounds what a client or the process may use; such settings are listed together. */
  readonly limit: boolean
  /** What its numbers count, where its name does not end in a unit. */
  readonly unit: string | null
}

/** The settings of one room by their names, in camelCase. */
export type Declared = Readonly<Record<string, Setting<unknown>>>

/** The values of a room's settings. */
export type Values<D extends Declared> = { readonly [Name in keyof D]: D[Name]['default'] }

/** A schema's value as settings carry it: frozen. */
type Value<Schema extends TSchema> =
  Static<Schema> extends infer Plain ? (Plain extends (infer Item)[] ? readonly Item[] : Readonly<Plain>) : never

interface Meaning<Value> {
  readonly default: NoInfer<Value>
  readonly description: string
  readonly secret?: boolean
  readonly limit?: boolean
  readonly unit?: string
}

/** Declares a setting: a TypeBox schema, a default that fits it, and its meaning. */
export const setting = <Schema extends TSchema>(
  schema: Schema,
  { secret = false, limit = false, unit, ...meaning }: Meaning<Value<Schema>>,
): Setting<Value<Schema>> => ({ schema, ...meaning, secret, limit, unit: unit ?? null })

/** A text of a form that no pattern describes: a predicate, and the form in words for the message about a wrong value. */
export interface Form {
  readonly allowed: string
  readonly fits: (text: string) => boolean
}

/** A text with at least one character that is not white space. */
export const text = Type.String({ pattern: '\\S', allowed: 'a text that is not empty' })

/** A text of a form. */
export const matching = ({ allowed, fits }: Form) => Type.Refine(Type.String({ allowed }), fits)

/** An absolute URL of one of the schemes, or of any; it is read without a slash at its end. */
export function address(schemes?: readonly string[]) {
  const beginnings = schemes?.map((scheme) => `${scheme}://…`).join(' or ')
  return Type.Refine(
    Type.String({ allowed: `an address, ${beginnings ?? 'with its scheme'}`, withoutSlash: true }),
    (url) => URL.canParse(url) && schemes?.includes(new URL(url).protocol.slice(0, -1)) !== false,
  )
}

/** A list whose items are `name=value`, which `clew.toml` may also write as a table. */
export const pairs = (form: Form) => Type.Array(matching(form), { pairs: true })

/** Texts by their names: a table of `clew.toml`, JSON in the environment. */
export const texts = Type.Record(Type.String(), Type.String())

/** A value, or null where none is given: an empty text in the environment. */
export const nullable = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()])
