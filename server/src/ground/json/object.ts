/** A JSON object whose members are not known yet. */
export type JsonObject = Readonly<Record<string, unknown>>

/** Whether a value is an object with names, as of JSON: no array, not null. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The value where it is an object, else null. */
export const objectOf = (value: unknown): JsonObject | null => (isObject(value) ? value : null)

/** The value where it is a text that is not empty, else null. */
export const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
